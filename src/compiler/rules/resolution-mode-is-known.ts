import type { Rule } from './rule.js'

export const resolutionModeIsKnown = {
  code: 'SVC2402',
  slug: 'resolution-mode-unknown',
  severity: 'error',
  source: 'S',
  section: '2.6',
  law: '`resolution.mode` is one of the seven modes.',
} satisfies Rule
