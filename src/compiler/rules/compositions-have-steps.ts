import type { Rule } from './rule.js'

export const compositionsHaveSteps = {
  code: 'SVC4004',
  slug: 'steps-empty',
  severity: 'error',
  source: 'D',
  section: '2.8',
  law: 'A composition has at least one step.',
} satisfies Rule
