import type { Rule } from './rule.js'

export const filesHoldOneDocument = {
  code: 'SVC0107',
  slug: 'yaml-multi-doc',
  severity: 'error',
  source: 'Y',
  law: 'A file holds one document.',
} satisfies Rule
