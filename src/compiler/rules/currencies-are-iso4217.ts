import type { Rule } from './rule.js'

export const currenciesAreIso4217 = {
  code: 'SVC2506',
  slug: 'currency-iso4217',
  severity: 'error',
  source: 'S',
  section: '2.10,2.7',
  law: 'A currency is an active ISO 4217 code.',
} satisfies Rule
