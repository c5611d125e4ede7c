import type { Rule } from './rule.js'

export const jwksUriIsAPath = {
  code: 'SVC1009',
  slug: 'jwks-uri',
  severity: 'error',
  source: 'S',
  section: '2.3',
  law: '`jwks_uri` is a path on the service.',
} satisfies Rule
