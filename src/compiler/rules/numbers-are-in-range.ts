import type { Rule } from './rule.js'

export const numbersAreInRange = {
  code: 'SVC0209',
  slug: 'out-of-range',
  severity: 'error',
  source: 'D',
  section: '2.7',
  law: 'A number lies within the range of its field.',
} satisfies Rule
