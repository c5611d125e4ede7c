import type { Rule } from './rule.js'

export const textIsUtf8 = {
  code: 'SVC0104',
  slug: 'yaml-encoding',
  severity: 'error',
  source: 'Y',
  law: 'A file is valid UTF-8 without control characters.',
} satisfies Rule
