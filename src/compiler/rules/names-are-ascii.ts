import type { Rule } from './rule.js'

export const namesAreAscii = {
  code: 'SVC5103',
  slug: 'non-ascii-identifier',
  severity: 'error',
  source: 'D',
  section: '2.3',
  law: 'A name is ASCII.',
} satisfies Rule
