import type { Rule } from './rule.js'

export const textIsNotANumber = {
  code: 'SVC0114',
  slug: 'yaml-number-for-string',
  severity: 'error',
  source: 'Y',
  section: '2.4',
  law: 'Text that looks like a number is quoted.',
  why: '`1.10` is the number 1.1.',
} satisfies Rule
