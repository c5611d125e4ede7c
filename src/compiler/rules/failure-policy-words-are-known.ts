import type { Rule } from './rule.js'

export const failurePolicyWordsAreKnown = {
  code: 'SVC4302',
  slug: 'failure-policy-value',
  severity: 'error',
  source: 'A',
  section: '2.8',
  law: 'A failure policy is propagate or fail_parent.',
} satisfies Rule
