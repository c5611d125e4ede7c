import type { Rule } from './rule.js'

export const responseModesAreNotEmpty = {
  code: 'SVC2702',
  slug: 'response-modes-empty',
  severity: 'error',
  source: 'D',
  section: '2.4',
  law: '`response_modes` lists at least one mode.',
} satisfies Rule
