import type { Rule } from './rule.js'

export const disclosureMembersAreKnown = {
  code: 'SVC1111',
  slug: 'disclosure-member',
  severity: 'error',
  source: 'S',
  section: '2.1',
  law: '`metadata_disclosure` has caller_class and failure_detail.',
} satisfies Rule
