import type { Rule } from './rule.js'

export const scopesHaveNoWildcards = {
  code: 'SVC2203',
  slug: 'scope-wildcard',
  severity: 'error',
  source: 'D',
  section: '2.4,4.4',
  law: 'A scope has no wildcard.',
  why: 'Scopes are compared exactly, so no token could cover it.',
} satisfies Rule
