import type { Rule } from './rule.js'

export const includesExist = {
  code: 'SVC0127',
  slug: 'include-missing',
  severity: 'error',
  source: 'Y',
  law: 'An include matches a file.',
} satisfies Rule
