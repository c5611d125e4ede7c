import type { Rule } from './rule.js'

export const cadenceIsKnown = {
  code: 'SVC1104',
  slug: 'cadence-unknown',
  severity: 'error',
  source: 'D',
  section: '2.1,6',
  law: '`cadence` is hourly, daily or an ISO 8601 duration.',
  why: 'The server cannot keep a cadence that it does not understand.',
} satisfies Rule
