import { CONTROL_REQUIREMENTS } from '../../../protocol/words.js'
import { at } from '../../shape/view.js'
import type { Rule } from '../rule.js'
import { DISTINCT, members } from '../schema-part.js'
import { ONE_MEMBER } from '../why-not.js'

export const controlDuplicate = {
  code: 'SVC2603',
  slug: 'control-duplicate',
  severity: 'error',
  source: 'D',
  section: '2.4',
  description: 'A control requirement is declared once.',
  schema: { capability: members({ control_requirements: { ...DISTINCT, maxItems: CONTROL_REQUIREMENTS.length } }) },
  whyNot: ONE_MEMBER,
  needs: 'control_requirements',
  ofCapability({ capability }, report) {
    const first = new Map<string, Parameters<typeof at>[0]>()
    for (const control of capability.control_requirements ?? []) {
      if (control.type === undefined) continue
      const earlier = first.get(control.type)
      if (earlier === undefined) first.set(control.type, control)
      else
        report(at(control, 'type'), `\`${control.type}\` is declared twice; remove one.`, {
          related: [{ span: at(earlier, 'type'), message: 'It is declared here first.' }],
        })
    }
  },
} satisfies Rule
