import { at, isAbsent } from '../../shape/view.js'
import type { Rule } from '../rule.js'
import { COSTS_MONEY, has, says, when } from '../schema-part.js'

export const tierWithoutCost = {
  code: 'SVC7021',
  slug: 'tier-without-cost',
  severity: 'error',
  source: 'A',
  section: '2.12',
  description: 'Tiers of an approval compare the declared cost.',
  why: 'Where nothing says what a call costs, every call needs the highest tier.',
  schema: { capability: when(says({ approval: has('tiers') }), COSTS_MONEY) },
  needs: 'approval',
  ofCapability({ capability }, report) {
    const { approval, cost } = capability
    if (approval?.tiers === undefined) return
    if (isAbsent(capability, 'cost') || (cost !== undefined && isAbsent(cost, 'financial')))
      report(at(approval, 'tiers'), 'Tiers compare the cost, but no `cost.financial` is declared.')
  },
} satisfies Rule
