import { at, keyOf, isAbsent } from '../../shape/view.js'
import type { Rule } from '../rule.js'
import { has, members, says, when } from '../schema-part.js'

export const dynamicNeedsUpperBound = {
  code: 'SVC2503',
  slug: 'dynamic-needs-upper-bound',
  severity: 'error',
  source: 'S',
  section: '2.7,4.6',
  description: 'A dynamic financial cost has an upper bound.',
  why: 'The budget check reads it.',
  schema: {
    cost: when(
      says({ certainty: 'dynamic', financial: { type: 'object' } }),
      members({ financial: has('upper_bound') }),
    ),
  },
  needs: 'cost',
  ofCapability({ capability: { cost } }, report) {
    if (cost?.certainty !== 'dynamic' || cost.financial === undefined || !isAbsent(cost.financial, 'upper_bound'))
      return
    report(at(cost, 'certainty'), '`dynamic` needs `financial.upper_bound`: the budget check reads it.', {
      related: [{ span: keyOf(cost, 'financial'), message: 'It lacks `upper_bound` here.' }],
    })
  },
} satisfies Rule
