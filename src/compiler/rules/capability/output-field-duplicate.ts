import { itemAt } from '../../shape/view.js'
import { fieldName } from '../facts/names.js'
import type { Rule } from '../rule.js'
import { DISTINCT, members } from '../schema-part.js'
import { ONE_MEMBER } from '../why-not.js'

export const outputFieldDuplicate = {
  code: 'SVC2012',
  slug: 'output-field-duplicate',
  severity: 'error',
  source: 'D',
  section: '2.4',
  description: 'An output field is declared once.',
  schema: { output: members({ fields: DISTINCT }) },
  whyNot: ONE_MEMBER,
  needs: 'output',
  ofCapability({ capability }, report) {
    const fields = capability.output?.fields
    if (fields === undefined) return
    const first = new Map<string, number>()
    for (const [index, field] of fields.entries()) {
      const name = fieldName(field)
      if (name === undefined) continue
      const earlier = first.get(name)
      if (earlier === undefined) first.set(name, index)
      else
        report(itemAt(fields, index), `The output field \`${name}\` is declared twice; rename or remove one.`, {
          related: [{ span: itemAt(fields, earlier), message: 'It is declared here first.' }],
        })
    }
  },
} satisfies Rule
