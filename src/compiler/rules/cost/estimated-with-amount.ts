import { keyOf } from '../../shape/view.js'
import type { Rule } from '../rule.js'

export const estimatedWithAmount = {
  code: 'SVC2512',
  slug: 'estimated-with-amount',
  severity: 'warning',
  source: 'D',
  section: '2.7',
  description: 'Only a fixed cost has an amount.',
  needs: 'cost',
  ofCapability({ capability: { cost } }, report) {
    if (cost?.certainty === undefined || cost.certainty === 'fixed' || cost.financial?.amount === undefined) return
    report(
      keyOf(cost.financial, 'amount'),
      `The cost is ${cost.certainty}, so the budget check ignores \`amount\`; remove it, or use \`fixed\`.`,
    )
  },
} satisfies Rule
