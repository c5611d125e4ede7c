import type { Rule } from './rule.js'

export const capabilitiesAreAMapping = {
  code: 'SVC1003',
  slug: 'capabilities-list',
  severity: 'error',
  source: 'D',
  section: '2.3',
  law: '`capabilities` maps names to declarations.',
} satisfies Rule
