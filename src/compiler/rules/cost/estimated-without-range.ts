import { at, isAbsent } from '../../shape/view.js'
import type { Rule } from '../rule.js'

export const estimatedWithoutRange = {
  code: 'SVC2517',
  slug: 'estimated-without-range',
  severity: 'warning',
  source: 'L',
  section: '2.7',
  description: 'An estimated cost has a range or a typical amount.',
  needs: 'cost',
  ofCapability({ capability: { cost } }, report) {
    if (cost?.certainty !== 'estimated' || cost.financial === undefined) return
    if (['range_min', 'range_max', 'typical', 'upper_bound'].some((field) => !isAbsent(cost.financial!, field))) return
    report(at(cost, 'certainty'), '`estimated` without range_min, range_max or typical tells the caller nothing.')
  },
} satisfies Rule
