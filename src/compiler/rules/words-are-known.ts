import type { Rule } from './rule.js'

export const wordsAreKnown = {
  code: 'SVC0204',
  slug: 'bad-enum',
  severity: 'error',
  source: 'S',
  section: '2.*',
  law: 'A word is one of the closed list of its field.',
} satisfies Rule
