import type { Rule } from './rule.js'

export const capabilitiesAreNotEmpty = {
  code: 'SVC1002',
  slug: 'capabilities-empty',
  severity: 'error',
  source: 'D',
  section: '2.3',
  law: 'A manifest declares at least one capability.',
} satisfies Rule
