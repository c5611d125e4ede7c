import type { Rule } from './rule.js'

export const secretsAreNotSuppressed = {
  code: 'SVC0008',
  slug: 'not-suppressible',
  severity: 'error',
  source: 'Y',
  law: 'Rules on secrets cannot be suppressed by a comment.',
} satisfies Rule
