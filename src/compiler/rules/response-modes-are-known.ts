import type { Rule } from './rule.js'

export const responseModesAreKnown = {
  code: 'SVC2701',
  slug: 'response-mode',
  severity: 'error',
  source: 'S',
  section: '2.4',
  law: 'A response mode is unary or streaming.',
} satisfies Rule
