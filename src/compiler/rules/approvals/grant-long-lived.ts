import { at } from '../../shape/view.js'
import { isIrreversible } from '../facts/effects.js'
import type { Rule } from '../rule.js'

const DAY = 86_400

export const grantLongLived = {
  code: 'SVC7007',
  slug: 'grant-long-lived',
  severity: 'warning',
  source: 'L',
  section: '4.7',
  description: 'A grant for an irreversible action lives for a day at most.',
  needs: 'approval',
  ofCapability({ capability }, report) {
    const policy = capability.approval?.grant_policy
    if (policy?.expires_in_seconds === undefined || policy.expires_in_seconds <= DAY || !isIrreversible(capability))
      return
    report(
      at(policy, 'expires_in_seconds'),
      `A grant for an irreversible action lives for ${policy.expires_in_seconds} seconds; write ${DAY}, a day, ` +
        'or less.',
    )
  },
} satisfies Rule
