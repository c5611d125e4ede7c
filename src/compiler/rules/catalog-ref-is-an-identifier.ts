import type { Rule } from './rule.js'

export const catalogRefIsAnIdentifier = {
  code: 'SVC2311',
  slug: 'catalog-syntax',
  severity: 'error',
  source: 'D',
  section: '2.5',
  law: '`catalog_ref` is an identifier.',
} satisfies Rule
