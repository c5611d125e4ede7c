import type { Rule } from './rule.js'

export const resolutionHasAMode = {
  code: 'SVC2401',
  slug: 'resolution-mode-missing',
  severity: 'error',
  source: 'S',
  section: '2.6',
  law: '`resolution` has a `mode`.',
} satisfies Rule
