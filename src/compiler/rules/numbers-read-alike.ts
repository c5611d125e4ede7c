import type { Rule } from './rule.js'

export const numbersReadAlike = {
  code: 'SVC0116',
  slug: 'yaml-ambiguous-number',
  severity: 'warning',
  source: 'Y',
  law: 'A number reads alike in YAML 1.1 and 1.2.',
  why: '0755 is 493 in one and 755 in the other.',
} satisfies Rule
