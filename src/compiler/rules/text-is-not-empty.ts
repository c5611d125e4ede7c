import type { Rule } from './rule.js'

export const textIsNotEmpty = {
  code: 'SVC0205',
  slug: 'empty-string',
  severity: 'error',
  source: 'D',
  section: '2.*',
  law: 'Text is not empty.',
} satisfies Rule
