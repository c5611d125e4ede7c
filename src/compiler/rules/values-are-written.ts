import type { Rule } from './rule.js'

export const valuesAreWritten = {
  code: 'SVC0121',
  slug: 'yaml-null-value',
  severity: 'error',
  source: 'Y',
  law: 'A key that is written has a value.',
} satisfies Rule
