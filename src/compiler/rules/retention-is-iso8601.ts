import type { Rule } from './rule.js'

export const retentionIsIso8601 = {
  code: 'SVC2703',
  slug: 'retention-format',
  severity: 'error',
  source: 'S',
  section: '2.4',
  law: '`retention` is an ISO 8601 duration.',
} satisfies Rule
