import type { Rule } from './rule.js'

export const textIsPlain = {
  code: 'SVC0126',
  slug: 'text-bom-crlf',
  severity: 'info',
  source: 'Y',
  law: 'A file has no byte order mark, and one kind of line end.',
} satisfies Rule
