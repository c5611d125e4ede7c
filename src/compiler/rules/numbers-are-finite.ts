import type { Rule } from './rule.js'

export const numbersAreFinite = {
  code: 'SVC0117',
  slug: 'yaml-nan-inf',
  severity: 'error',
  source: 'Y',
  section: '2.7',
  law: 'A number is finite.',
  why: 'JSON cannot hold infinities and not-a-number.',
} satisfies Rule
