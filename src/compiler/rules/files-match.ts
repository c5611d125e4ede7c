import type { Rule } from './rule.js'

export const filesMatch = {
  code: 'SVC0001',
  slug: 'no-input',
  severity: 'error',
  source: 'Y',
  law: 'A file, folder or glob on the command line must match at least one manifest.',
  why: 'Otherwise a misspelt path would pass as clean.',
} satisfies Rule
