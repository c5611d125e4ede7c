import type { Rule } from './rule.js'

export const timesAreRfc3339 = {
  code: 'SVC1012',
  slug: 'timestamp-format',
  severity: 'error',
  source: 'S',
  section: '2.3',
  law: 'A time is an RFC 3339 timestamp.',
} satisfies Rule
