import type { Rule } from './rule.js'

export const filesHoldADocument = {
  code: 'SVC0105',
  slug: 'yaml-empty',
  severity: 'error',
  source: 'Y',
  law: 'A file holds a document.',
} satisfies Rule
