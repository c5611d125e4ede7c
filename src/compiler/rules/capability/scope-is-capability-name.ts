import { itemAt } from '../../shape/view.js'
import type { Rule } from '../rule.js'

export const scopeIsCapabilityName = {
  code: 'SVC2206',
  slug: 'scope-is-capability-name',
  severity: 'info',
  source: 'D',
  section: '1.8',
  description: 'A scope is not the name of a capability.',
  why: 'Scope is never inferred from names; the likeness only misleads.',
  ofCapability({ capability, capabilities }, report) {
    for (const [index, scope] of (capability.minimum_scope ?? []).entries())
      if (capabilities.has(scope))
        report(
          itemAt(capability.minimum_scope!, index),
          `The scope \`${scope}\` equals a capability name; scope is never inferred from names.`,
        )
  },
} satisfies Rule
