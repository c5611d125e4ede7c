import type { Rule } from './rule.js'

export const suppressionsGiveReasons = {
  code: 'SVC0007',
  slug: 'suppression-needs-reason',
  severity: 'warning',
  source: 'Y',
  law: 'A suppression says why.',
  why: 'Whoever reads the file next must be able to judge it.',
} satisfies Rule
