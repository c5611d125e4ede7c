import { at, isAbsent } from '../../shape/view.js'
import type { Rule } from '../rule.js'
import { COSTS_MONEY, says, someItem, when } from '../schema-part.js'

export const ceilingWithoutCost = {
  code: 'SVC2518',
  slug: 'ceiling-without-cost',
  severity: 'error',
  source: 'D',
  section: '2.4,2.7',
  description: '`cost_ceiling` stands with a financial cost.',
  why: 'There would be nothing to check.',
  schema: { capability: when(says({ control_requirements: someItem(says({ type: 'cost_ceiling' })) }), COSTS_MONEY) },
  needs: 'control_requirements',
  ofCapability({ capability }, report) {
    const control = capability.control_requirements?.find(({ type }) => type === 'cost_ceiling')
    if (control === undefined) return
    if (capability.cost === undefined ? !isAbsent(capability, 'cost') : !isAbsent(capability.cost, 'financial')) return
    report(at(control, 'type'), '`cost_ceiling` is required, but there is no `cost.financial` to check.')
  },
} satisfies Rule
