import type { Rule } from './rule.js'

export const grantTypesAreKnown = {
  code: 'SVC7001',
  slug: 'grant-type',
  severity: 'error',
  source: 'S',
  section: '2.12,4.7',
  law: 'A grant type is one_time or session_bound.',
} satisfies Rule
