import type { Rule } from './rule.js'

export const suppressionsAreUsed = {
  code: 'SVC0006',
  slug: 'unused-suppression',
  severity: 'warning',
  source: 'Y',
  law: 'A suppression that matches nothing is removed.',
  why: 'It would hide the next finding at its place.',
} satisfies Rule
