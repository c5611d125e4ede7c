import type { Rule } from './rule.js'

export const referencesHaveNoCredentials = {
  code: 'SVC5001',
  slug: 'secret-in-ref',
  severity: 'error',
  source: 'S',
  section: '2.6 r3',
  law: 'A reference embeds no credential.',
  secret: true,
} satisfies Rule
