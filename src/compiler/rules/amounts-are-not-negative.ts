import type { Rule } from './rule.js'

export const amountsAreNotNegative = {
  code: 'SVC2508',
  slug: 'amount-negative',
  severity: 'error',
  source: 'D',
  section: '2.7',
  law: 'An amount is 0 or more.',
} satisfies Rule
