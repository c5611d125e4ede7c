import type { Rule } from './rule.js'

export const enforcementIsReject = {
  code: 'SVC2602',
  slug: 'control-enforcement',
  severity: 'error',
  source: 'A',
  section: '2.4',
  law: '`enforcement` is reject.',
} satisfies Rule
