import type { Rule } from './rule.js'

export const anchorsAreUsed = {
  code: 'SVC0124',
  slug: 'yaml-unused-anchor',
  severity: 'warning',
  source: 'Y',
  law: 'An anchor has an alias.',
} satisfies Rule
