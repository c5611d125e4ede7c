import type { Rule } from './rule.js'

export const filesAreReadable = {
  code: 'SVC0002',
  slug: 'unreadable',
  severity: 'error',
  source: 'Y',
  law: 'A file that is named must be readable.',
} satisfies Rule
