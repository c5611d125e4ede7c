import type { Rule } from './rule.js'

export const authorityBoundaryIsGiven = {
  code: 'SVC4001',
  slug: 'authority-boundary-missing',
  severity: 'error',
  source: 'S',
  section: '2.8',
  law: 'A composition has `authority_boundary: same_service`.',
} satisfies Rule
