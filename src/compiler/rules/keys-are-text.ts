import type { Rule } from './rule.js'

export const keysAreText = {
  code: 'SVC0118',
  slug: 'yaml-key-not-string',
  severity: 'error',
  source: 'Y',
  law: 'A key is text.',
} satisfies Rule
