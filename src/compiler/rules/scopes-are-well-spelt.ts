import type { Rule } from './rule.js'

export const scopesAreWellSpelt = {
  code: 'SVC2201',
  slug: 'scope-syntax',
  severity: 'error',
  source: 'D',
  section: '2.4',
  law: 'A scope is lower-case letters and digits, with `.` `_` `:` `-` inside.',
} satisfies Rule
