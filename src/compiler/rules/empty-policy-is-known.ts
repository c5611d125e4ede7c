import type { Rule } from './rule.js'

export const emptyPolicyIsKnown = {
  code: 'SVC4201',
  slug: 'empty-policy-unknown',
  severity: 'error',
  source: 'A',
  section: '2.8',
  law: '`empty_result_policy` is return_success_no_results, clarify or deny.',
} satisfies Rule
