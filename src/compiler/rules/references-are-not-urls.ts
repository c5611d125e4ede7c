import type { Rule } from './rule.js'

export const referencesAreNotUrls = {
  code: 'SVC5009',
  slug: 'ref-is-url',
  severity: 'warning',
  source: 'D',
  section: '2.5,2.6',
  law: 'A reference is an identifier, not a URL.',
  why: 'URLs tell every reader a host.',
} satisfies Rule
