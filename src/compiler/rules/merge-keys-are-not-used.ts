import type { Rule } from './rule.js'

export const mergeKeysAreNotUsed = {
  code: 'SVC0111',
  slug: 'yaml-merge-key',
  severity: 'error',
  source: 'Y',
  law: 'The merge key `<<` is not used.',
  why: 'It is not part of YAML 1.2, and parsers differ.',
} satisfies Rule
