import { at } from '../../shape/view.js'
import { replace } from '../../finding.js'
import type { Rule } from '../rule.js'

export const oneTimeManyUses = {
  code: 'SVC7006',
  slug: 'one-time-many-uses',
  severity: 'warning',
  source: 'D',
  section: '2.12',
  description: 'A one-time grant has one use.',
  needs: 'approval',
  ofCapability({ capability: { approval } }, report) {
    const policy = approval?.grant_policy
    if (
      policy?.max_uses === undefined ||
      policy.max_uses <= 1 ||
      policy.allowed_grant_types?.length !== 1 ||
      policy.allowed_grant_types[0] !== 'one_time'
    )
      return
    report(at(policy, 'max_uses'), `Only \`one_time\` is allowed, yet \`max_uses\` is ${policy.max_uses}; write 1.`, {
      fix: replace(at(policy, 'max_uses'), '1'),
    })
  },
} satisfies Rule
