import type { Rule } from './rule.js'

export const behavioursAreKnown = {
  code: 'SVC2406',
  slug: 'behaviour-unknown',
  severity: 'error',
  source: 'S',
  section: '2.6',
  law: 'on_missing, on_ambiguous and on_unresolved take one of the seven behaviours.',
} satisfies Rule
