import type { Rule } from './rule.js'

export const trustLevelIsKnown = {
  code: 'SVC1101',
  slug: 'trust-level',
  severity: 'error',
  source: 'S',
  section: '2.1',
  law: '`trust.level` is declarative, signed or anchored.',
} satisfies Rule
