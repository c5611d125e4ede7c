import { at } from '../../shape/view.js'
import type { Rule } from '../rule.js'
import { TWO_VALUES } from '../why-not.js'

export const upperBoundBelowRange = {
  code: 'SVC2513',
  slug: 'upper-bound-below-range',
  severity: 'error',
  source: 'D',
  section: '2.7',
  description: '`upper_bound` is not below the range.',
  whyNot: TWO_VALUES,
  needs: 'cost',
  ofCapability({ capability: { cost } }, report) {
    const { upper_bound, range_max, range_min = 0, typical = 0 } = cost?.financial ?? {}
    const most = range_max ?? Math.max(range_min, typical)
    if (upper_bound === undefined || upper_bound >= most) return
    report(
      at(cost!.financial!, 'upper_bound'),
      `\`upper_bound\` ${upper_bound} is below ${most}, which the range allows.`,
    )
  },
} satisfies Rule
