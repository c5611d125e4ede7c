import type { Rule } from './rule.js'

export const catalogRefIsNoList = {
  code: 'SVC2310',
  slug: 'catalog-inline',
  severity: 'error',
  source: 'S',
  section: '2.5',
  law: '`catalog_ref` names a catalog, and is no list of values.',
} satisfies Rule
