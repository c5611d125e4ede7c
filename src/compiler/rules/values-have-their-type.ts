import type { Rule } from './rule.js'

export const valuesHaveTheirType = {
  code: 'SVC0203',
  slug: 'wrong-type',
  severity: 'error',
  source: 'S',
  section: '2.*',
  law: 'A value has the type of its field.',
} satisfies Rule
