import type { Rule } from './rule.js'

export const fieldsAreInPlace = {
  code: 'SVC0210',
  slug: 'misplaced-field',
  severity: 'error',
  source: 'D',
  section: '2.4',
  law: 'A field stands in the object that it belongs to.',
} satisfies Rule
