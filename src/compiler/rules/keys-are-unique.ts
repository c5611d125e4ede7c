import type { Rule } from './rule.js'

export const keysAreUnique = {
  code: 'SVC0103',
  slug: 'yaml-duplicate-key',
  severity: 'error',
  source: 'Y',
  law: 'A key is given once in a mapping.',
  why: 'Parsers differ in which of two they keep.',
} satisfies Rule
