import type { Rule } from './rule.js'

export const pricesHaveACurrency = {
  code: 'SVC2505',
  slug: 'currency-missing',
  severity: 'error',
  source: 'D',
  section: '2.7',
  law: 'A financial cost has a currency.',
  why: 'Without one, no budget can be compared.',
} satisfies Rule
