import type { Rule } from './rule.js'

export const datesAreQuoted = {
  code: 'SVC0125',
  slug: 'yaml-date-scalar',
  severity: 'warning',
  source: 'Y',
  section: '2.3',
  law: 'A date is quoted.',
  why: 'YAML 1.1 makes another type of it.',
} satisfies Rule
