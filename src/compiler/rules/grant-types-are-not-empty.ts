import type { Rule } from './rule.js'

export const grantTypesAreNotEmpty = {
  code: 'SVC7002',
  slug: 'grant-types-empty',
  severity: 'error',
  source: 'A',
  section: '2.12',
  law: '`allowed_grant_types` lists at least one type.',
  why: 'Otherwise nothing can be approved.',
} satisfies Rule
