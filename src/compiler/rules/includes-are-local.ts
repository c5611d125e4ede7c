import type { Rule } from './rule.js'

export const includesAreLocal = {
  code: 'SVC0130',
  slug: 'include-remote',
  severity: 'error',
  source: 'Y',
  law: 'An include is a local file.',
  why: 'Validation reads no network.',
} satisfies Rule
