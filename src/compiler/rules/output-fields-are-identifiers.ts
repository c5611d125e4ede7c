import type { Rule } from './rule.js'

export const outputFieldsAreIdentifiers = {
  code: 'SVC2005',
  slug: 'output-field-syntax',
  severity: 'error',
  source: 'D',
  section: '2.4',
  law: 'An output field is an identifier.',
} satisfies Rule
