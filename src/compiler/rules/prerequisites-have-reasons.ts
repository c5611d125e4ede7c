import type { Rule } from './rule.js'

export const prerequisitesHaveReasons = {
  code: 'SVC3005',
  slug: 'requires-reason-blank',
  severity: 'error',
  source: 'S',
  section: '2.4',
  law: 'A prerequisite has a reason.',
} satisfies Rule
