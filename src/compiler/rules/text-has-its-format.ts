import type { Rule } from './rule.js'

export const textHasItsFormat = {
  code: 'SVC0206',
  slug: 'bad-format',
  severity: 'error',
  source: 'D',
  section: '2.*',
  law: 'Text has the format of its field.',
} satisfies Rule
