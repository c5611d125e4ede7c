import type { Rule } from './rule.js'

export const requiredFieldsAreGiven = {
  code: 'SVC0201',
  slug: 'missing-field',
  severity: 'error',
  source: 'S',
  section: '2.*',
  law: 'A required field is given.',
} satisfies Rule
