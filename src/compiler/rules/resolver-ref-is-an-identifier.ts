import type { Rule } from './rule.js'

export const resolverRefIsAnIdentifier = {
  code: 'SVC2418',
  slug: 'resolver-syntax',
  severity: 'error',
  source: 'S',
  section: '2.6 r3',
  law: '`resolver_ref` is an identifier.',
} satisfies Rule
