import { at, isAbsent } from '../../shape/view.js'
import type { Rule } from '../rule.js'

export const quoteSourceMissing = {
  code: 'SVC6009',
  slug: 'quote-source-missing',
  severity: 'warning',
  source: 'L',
  section: '2.7',
  description: 'An estimated cost says what determines it.',
  needs: 'cost',
  ofCapability({ capability: { cost } }, report) {
    if (cost?.certainty === 'estimated' && cost.financial !== undefined && isAbsent(cost, 'determined_by'))
      report(at(cost, 'certainty'), '`estimated` without `determined_by`. Name the capability that issues the quote.')
  },
} satisfies Rule
