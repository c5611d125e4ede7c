import type { Rule } from './rule.js'

export const kindIsKnown = {
  code: 'SVC2006',
  slug: 'kind-unknown',
  severity: 'error',
  source: 'S',
  section: '2.4',
  law: '`kind` is atomic or composed.',
} satisfies Rule
