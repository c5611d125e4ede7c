import type { Rule } from './rule.js'

export const grantsExpire = {
  code: 'SVC7004',
  slug: 'grant-expiry',
  severity: 'error',
  source: 'A',
  section: '2.12',
  law: '`expires_in_seconds` is a positive whole number.',
} satisfies Rule
