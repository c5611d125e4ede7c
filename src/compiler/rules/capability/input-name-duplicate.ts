import { DISTINCT, members } from '../schema-part.js'
import { ONE_MEMBER } from '../why-not.js'
import { at } from '../../shape/view.js'
import type { Rule, InputView } from '../rule.js'

export const inputNameDuplicate = {
  code: 'SVC2002',
  slug: 'input-name-duplicate',
  severity: 'error',
  source: 'D',
  section: '2.5',
  description: 'An input is declared once.',
  schema: { capability: members({ inputs: DISTINCT }) },
  whyNot: ONE_MEMBER,
  ofCapability({ capability }, report) {
    const first = new Map<string, InputView>()
    for (const input of capability.inputs ?? []) {
      if (input.name === undefined) continue
      const earlier = first.get(input.name)
      if (earlier === undefined) first.set(input.name, input)
      else
        report(at(input, 'name'), `The input \`${input.name}\` is declared twice; rename or remove one.`, {
          related: [{ span: at(earlier, 'name'), message: 'It is declared here first.' }],
        })
    }
  },
} satisfies Rule
