import type { Rule } from './rule.js'

export const certaintyIsKnown = {
  code: 'SVC2501',
  slug: 'cost-certainty',
  severity: 'error',
  source: 'S',
  section: '2.7',
  law: '`certainty` is fixed, estimated or dynamic.',
} satisfies Rule
