import { at } from '../../shape/view.js'
import type { Rule } from '../rule.js'

export const costFarRange = {
  code: 'SVC2524',
  slug: 'cost-far-range',
  severity: 'info',
  source: 'L',
  section: '2.7',
  description: '`range_max` is at most 100 times `range_min`.',
  needs: 'cost',
  ofCapability({ capability: { cost } }, report) {
    const { range_min, range_max } = cost?.financial ?? {}
    if (range_min === undefined || range_max === undefined || range_min <= 0 || range_max / range_min <= 100) return
    report(
      at(cost!.financial!, 'range_max'),
      `\`range_max\` is ${Math.round(range_max / range_min)} times \`range_min\`; an estimate this wide does not help.`,
    )
  },
} satisfies Rule
