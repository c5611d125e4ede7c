import { keyOf, isAbsent } from '../../shape/view.js'
import { requiresControl } from '../facts/effects.js'
import type { Rule } from '../rule.js'

export const costEmpty = {
  code: 'SVC2520',
  slug: 'cost-empty',
  severity: 'warning',
  source: 'D',
  section: '2.7',
  description: '`cost` has a financial or a compute part.',
  needs: 'cost',
  ofCapability({ capability }, report) {
    const { cost } = capability
    if (cost === undefined || !isAbsent(cost, 'financial') || !isAbsent(cost, 'compute')) return
    if (requiresControl(capability, 'cost_ceiling')) return
    report(keyOf(capability, 'cost'), '`cost` has neither `financial` nor `compute`; say what it costs, or remove it.')
  },
} satisfies Rule
