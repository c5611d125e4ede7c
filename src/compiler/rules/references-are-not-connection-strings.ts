import type { Rule } from './rule.js'

export const referencesAreNotConnectionStrings = {
  code: 'SVC5010',
  slug: 'ref-is-connection-string',
  severity: 'error',
  source: 'D',
  section: '2.6 r3',
  law: 'A reference is not a connection string.',
  secret: true,
} satisfies Rule
