import type { Rule } from './rule.js'

export const rulesDoNotFail = {
  code: 'SVC0012',
  slug: 'internal',
  severity: 'error',
  source: 'Y',
  law: 'A rule never fails.',
  why: 'This is a bug in svc: please report it. The other rules still ran.',
} satisfies Rule
