import { keyOf } from '../../shape/view.js'
import type { Rule } from '../rule.js'

export const determinedByFixed = {
  code: 'SVC2516',
  slug: 'determined-by-fixed',
  severity: 'info',
  source: 'L',
  section: '2.7',
  description: 'A fixed cost is not determined by anything.',
  needs: 'cost',
  ofCapability({ capability: { cost } }, report) {
    if (cost?.certainty === 'fixed' && cost.determined_by !== undefined)
      report(keyOf(cost, 'determined_by'), 'A fixed cost needs no `determined_by`; remove it.')
  },
} satisfies Rule
