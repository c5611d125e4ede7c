import { itemAt } from '../../shape/view.js'
import type { Rule } from '../rule.js'

export const scopeApprover = {
  code: 'SVC2209',
  slug: 'scope-approver',
  severity: 'warning',
  source: 'D',
  section: '4.7',
  description: '`approver:` scopes are for approvers, not for callers.',
  ofCapability({ capability }, report) {
    for (const [index, scope] of (capability.minimum_scope ?? []).entries())
      if (scope.startsWith('approver:'))
        report(
          itemAt(capability.minimum_scope!, index),
          `\`${scope}\` is a scope of approvers, not of callers; name a scope that callers hold.`,
        )
  },
} satisfies Rule
