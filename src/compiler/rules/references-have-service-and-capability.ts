import type { Rule } from './rule.js'

export const referencesHaveServiceAndCapability = {
  code: 'SVC3102',
  slug: 'cross-ref-shape',
  severity: 'error',
  source: 'S',
  section: '2.9',
  law: 'A reference to another service names the service and the capability.',
} satisfies Rule
