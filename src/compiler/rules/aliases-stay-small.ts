import type { Rule } from './rule.js'

export const aliasesStaySmall = {
  code: 'SVC0109',
  slug: 'yaml-alias-bomb',
  severity: 'error',
  source: 'Y',
  law: 'Aliases stand for at most 250,000 nodes.',
  why: 'A few hundred bytes of aliases can stand for gigabytes.',
} satisfies Rule
