import { at } from '../../shape/view.js'
import type { Rule } from '../rule.js'
import { TWO_VALUES } from '../why-not.js'

export const typicalOutsideRange = {
  code: 'SVC2510',
  slug: 'typical-outside-range',
  severity: 'error',
  source: 'D',
  section: '2.7',
  description: '`typical` lies between `range_min` and `range_max`.',
  whyNot: TWO_VALUES,
  needs: 'cost',
  ofCapability({ capability: { cost } }, report) {
    const { range_min = 0, range_max = Infinity, typical } = cost?.financial ?? {}
    if (typical === undefined || range_min > range_max || (typical >= range_min && typical <= range_max)) return
    report(
      at(cost!.financial!, 'typical'),
      `\`typical\` ${typical} is outside ${range_min}..${range_max === Infinity ? '' : range_max}.`,
    )
  },
} satisfies Rule
