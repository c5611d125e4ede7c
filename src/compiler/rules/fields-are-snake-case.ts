import type { Rule } from './rule.js'

export const fieldsAreSnakeCase = {
  code: 'SVC0212',
  slug: 'camel-case-field',
  severity: 'error',
  source: 'D',
  section: '2.*',
  law: 'Fields are spelt with `_`.',
} satisfies Rule
