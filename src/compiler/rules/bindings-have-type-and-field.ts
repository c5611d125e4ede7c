import type { Rule } from './rule.js'

export const bindingsHaveTypeAndField = {
  code: 'SVC2604',
  slug: 'binding-shape',
  severity: 'error',
  source: 'A',
  section: '2.4',
  law: 'A binding has `type` and `field`.',
} satisfies Rule
