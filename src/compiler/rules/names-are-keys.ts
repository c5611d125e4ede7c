import type { Rule } from './rule.js'

export const namesAreKeys = {
  code: 'SVC1007',
  slug: 'name-field-mismatch',
  severity: 'error',
  source: 'D',
  section: '2.3',
  law: 'The key of a capability is its name.',
} satisfies Rule
