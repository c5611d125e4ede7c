import type { Rule } from './rule.js'

export const servicesHaveIds = {
  code: 'SVC1008',
  slug: 'service-id-missing',
  severity: 'error',
  source: 'S',
  section: '2.1,2.3',
  law: 'A service has an id.',
} satisfies Rule
