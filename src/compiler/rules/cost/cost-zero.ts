import { keyOf } from '../../shape/view.js'
import type { Rule } from '../rule.js'

export const costZero = {
  code: 'SVC2523',
  slug: 'cost-zero',
  severity: 'info',
  source: 'L',
  section: '2.7',
  description: 'A cost of nothing is left out.',
  why: 'Otherwise the capability counts as financial: audited as high risk, checked against budgets.',
  needs: 'cost',
  ofCapability({ capability: { cost } }, report) {
    const financial = cost?.financial
    if (financial === undefined || (cost?.certainty === 'fixed' ? financial.amount : financial.upper_bound) !== 0)
      return
    report(keyOf(cost!, 'financial'), 'The cost is 0; drop `financial`, or the capability counts as financial.')
  },
} satisfies Rule
