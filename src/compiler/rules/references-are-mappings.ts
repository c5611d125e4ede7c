import type { Rule } from './rule.js'

export const referencesAreMappings = {
  code: 'SVC3106',
  slug: 'cross-ref-scalar',
  severity: 'error',
  source: 'D',
  section: '2.9',
  law: 'A reference to another service is a mapping.',
} satisfies Rule
