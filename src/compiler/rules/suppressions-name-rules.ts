import type { Rule } from './rule.js'

export const suppressionsNameRules = {
  code: 'SVC0005',
  slug: 'unknown-rule',
  severity: 'error',
  source: 'Y',
  law: 'A suppression names rules that exist.',
} satisfies Rule
