import type { Rule } from './rule.js'

export const grantsHaveUses = {
  code: 'SVC7005',
  slug: 'grant-max-uses',
  severity: 'error',
  source: 'A',
  section: '2.12',
  law: '`max_uses` is a positive whole number.',
} satisfies Rule
