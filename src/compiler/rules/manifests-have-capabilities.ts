import type { Rule } from './rule.js'

export const manifestsHaveCapabilities = {
  code: 'SVC1001',
  slug: 'capabilities-missing',
  severity: 'error',
  source: 'S',
  section: '2.3',
  law: 'A manifest has `capabilities`.',
} satisfies Rule
