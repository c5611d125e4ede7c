import type { Rule } from './rule.js'

export const computeDurationIsIso8601 = {
  code: 'SVC2521',
  slug: 'compute-duration',
  severity: 'error',
  source: 'D',
  section: '2.7',
  law: '`expected_duration` is an ISO 8601 duration.',
} satisfies Rule
