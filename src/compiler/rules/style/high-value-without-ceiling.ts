import { keyOf } from '../../shape/view.js'
import { lacksControl } from '../facts/effects.js'
import type { Rule } from '../rule.js'

const HIGH = 10_000

export const highValueWithoutCeiling = {
  code: 'SVC6011',
  slug: 'high-value-without-ceiling',
  severity: 'warning',
  source: 'L',
  section: '2.7',
  description: 'A capability that may cost much requires `cost_ceiling`.',
  needs: 'cost',
  ofCapability({ capability }, report) {
    const financial = capability.cost?.financial
    const most = Math.max(financial?.upper_bound ?? 0, financial?.amount ?? 0, financial?.range_max ?? 0)
    if (most < HIGH || !lacksControl(capability, 'cost_ceiling')) return
    report(
      keyOf(capability.cost!, 'financial'),
      `A call may cost ${most} ${financial!.currency ?? ''} without \`cost_ceiling\`: a token without a budget ` +
        'has no limit.',
    )
  },
} satisfies Rule
