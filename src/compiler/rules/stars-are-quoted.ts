import type { Rule } from './rule.js'

export const starsAreQuoted = {
  code: 'SVC0123',
  slug: 'yaml-star-scalar',
  severity: 'error',
  source: 'Y',
  law: 'A value that begins with `*` is quoted.',
  why: 'Unquoted it is an alias.',
} satisfies Rule
