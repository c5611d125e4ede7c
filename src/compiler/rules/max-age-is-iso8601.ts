import type { Rule } from './rule.js'

export const maxAgeIsIso8601 = {
  code: 'SVC2610',
  slug: 'binding-max-age',
  severity: 'error',
  source: 'A',
  section: '2.4,7',
  law: '`max_age` is an ISO 8601 duration.',
} satisfies Rule
