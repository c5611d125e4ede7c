import type { Rule } from './rule.js'

export const wordsAreLowerCase = {
  code: 'SVC0211',
  slug: 'wrong-case',
  severity: 'error',
  source: 'D',
  section: '2.*',
  law: 'Fields and words are lower case.',
} satisfies Rule
