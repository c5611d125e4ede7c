import { keyOf } from '../../shape/view.js'
import { lacksControl } from '../facts/effects.js'
import type { Rule } from '../rule.js'

export const costWithoutCeiling = {
  code: 'SVC2519',
  slug: 'cost-without-ceiling',
  severity: 'info',
  source: 'L',
  section: '2.4,2.7',
  description: 'A capability that costs money requires `cost_ceiling`.',
  why: 'A token without a budget has no limit.',
  needs: 'cost',
  ofCapability({ capability }, report) {
    if (capability.cost?.financial === undefined || !lacksControl(capability, 'cost_ceiling')) return
    report(
      keyOf(capability.cost, 'financial'),
      'The capability costs money without requiring `cost_ceiling`: a token without a budget has no limit.',
    )
  },
} satisfies Rule
