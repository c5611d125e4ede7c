import type { Rule } from './rule.js'

export const crossServiceListsAreKnown = {
  code: 'SVC3101',
  slug: 'cross-list-unknown',
  severity: 'error',
  source: 'S',
  section: '2.9',
  law: '`cross_service` has handoff_to, refresh_via, verify_via and followup_via.',
} satisfies Rule
