import { at, isAbsent } from '../../shape/view.js'
import type { Rule } from '../rule.js'

export const ceilingWithoutCost = {
  code: 'SVC2518',
  slug: 'ceiling-without-cost',
  severity: 'error',
  source: 'D',
  section: '2.4,2.7',
  description: '`cost_ceiling` stands with a financial cost.',
  why: 'There would be nothing to check.',
  needs: 'control_requirements',
  ofCapability({ capability }, report) {
    const control = capability.control_requirements?.find(({ type }) => type === 'cost_ceiling')
    if (control === undefined) return
    if (capability.cost === undefined ? !isAbsent(capability, 'cost') : !isAbsent(capability.cost, 'financial')) return
    report(at(control, 'type'), '`cost_ceiling` is required, but there is no `cost.financial` to check.')
  },
} satisfies Rule
