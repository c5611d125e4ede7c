import { keyOf } from '../../shape/view.js'
import type { Rule } from '../rule.js'
import { has, members, when } from '../schema-part.js'

export const compensationNeedsTransactional = {
  code: 'SVC2102',
  slug: 'compensation-needs-transactional',
  severity: 'error',
  source: 'S',
  section: '2.4',
  description: '`compensation` stands only with a transactional side effect.',
  schema: { 'side effect': when(has('compensation'), members({ type: { const: 'transactional' } })) },
  ofCapability({ capability: { side_effect } }, report) {
    if (
      side_effect?.compensation === undefined ||
      side_effect.type === undefined ||
      side_effect.type === 'transactional'
    )
      return
    report(
      keyOf(side_effect, 'compensation'),
      `\`compensation\` applies to \`transactional\`, not to \`${side_effect.type}\`; remove it, or change the type.`,
    )
  },
} satisfies Rule
