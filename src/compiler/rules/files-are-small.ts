import type { Rule } from './rule.js'

export const filesAreSmall = {
  code: 'SVC0010',
  slug: 'file-too-big',
  severity: 'error',
  source: 'Y',
  law: 'A file has at most 64 million characters.',
} satisfies Rule
