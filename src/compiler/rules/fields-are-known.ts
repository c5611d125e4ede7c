import type { Rule } from './rule.js'

export const fieldsAreKnown = {
  code: 'SVC0202',
  slug: 'unknown-field',
  severity: 'error',
  source: 'S',
  section: '9.6',
  law: 'A field is one that the interface knows.',
  why: 'An unknown field is most often a misspelt one, and would be ignored in silence. Own fields begin with `x-`.',
} satisfies Rule
