import { at, keyOf, isAbsent } from '../../shape/view.js'
import type { Rule } from '../rule.js'
import { has, members, says, when } from '../schema-part.js'

export const fixedNeedsAmount = {
  code: 'SVC2502',
  slug: 'fixed-needs-amount',
  severity: 'error',
  source: 'S',
  section: '2.7,4.6',
  description: 'A fixed financial cost has an amount.',
  why: 'The budget check reads it.',
  schema: {
    cost: when(says({ certainty: 'fixed', financial: { type: 'object' } }), members({ financial: has('amount') })),
  },
  needs: 'cost',
  ofCapability({ capability: { cost } }, report) {
    if (cost?.certainty !== 'fixed' || cost.financial === undefined || !isAbsent(cost.financial, 'amount')) return
    report(at(cost, 'certainty'), '`fixed` needs `financial.amount`: the budget check reads it.', {
      related: [{ span: keyOf(cost, 'financial'), message: 'It lacks `amount` here.' }],
    })
  },
} satisfies Rule
