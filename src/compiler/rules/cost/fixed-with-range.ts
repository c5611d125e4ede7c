import { keyOf } from '../../shape/view.js'
import type { Rule } from '../rule.js'

export const fixedWithRange = {
  code: 'SVC2511',
  slug: 'fixed-with-range',
  severity: 'warning',
  source: 'D',
  section: '2.7',
  description: 'A fixed cost has no range.',
  needs: 'cost',
  ofCapability({ capability: { cost } }, report) {
    if (cost?.certainty !== 'fixed' || cost.financial === undefined) return
    for (const field of ['range_min', 'range_max', 'typical', 'upper_bound'] as const)
      if (cost.financial[field] !== undefined)
        report(
          keyOf(cost.financial, field),
          `The cost is fixed, so \`${field}\` is ignored; remove it, or use \`dynamic\`.`,
        )
  },
} satisfies Rule
