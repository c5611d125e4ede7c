import { at } from '../../shape/view.js'
import type { Rule } from '../rule.js'
import { TWO_VALUES } from '../why-not.js'

export const rangeInverted = {
  code: 'SVC2509',
  slug: 'range-inverted',
  severity: 'error',
  source: 'D',
  section: '2.7',
  description: '`range_min` is not above `range_max`.',
  whyNot: TWO_VALUES,
  needs: 'cost',
  ofCapability({ capability: { cost } }, report) {
    const { range_min, range_max } = cost?.financial ?? {}
    if (range_min === undefined || range_max === undefined || range_min <= range_max) return
    report(at(cost!.financial!, 'range_min'), `\`range_min\` ${range_min} exceeds \`range_max\` ${range_max}.`, {
      related: [{ span: at(cost!.financial!, 'range_max'), message: '`range_max` is here.' }],
    })
  },
} satisfies Rule
