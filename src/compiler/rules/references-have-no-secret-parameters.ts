import type { Rule } from './rule.js'

export const referencesHaveNoSecretParameters = {
  code: 'SVC5002',
  slug: 'secret-query-param',
  severity: 'error',
  source: 'S',
  section: '2.6 r3',
  law: 'A reference carries no secret in a query parameter.',
  secret: true,
} satisfies Rule
