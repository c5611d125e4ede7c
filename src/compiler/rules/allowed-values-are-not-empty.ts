import type { Rule } from './rule.js'

export const allowedValuesAreNotEmpty = {
  code: 'SVC2302',
  slug: 'allowed-values-empty',
  severity: 'error',
  source: 'D',
  section: '2.5',
  law: '`allowed_values` lists at least one value.',
} satisfies Rule
