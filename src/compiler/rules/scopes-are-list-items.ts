import type { Rule } from './rule.js'

export const scopesAreListItems = {
  code: 'SVC2202',
  slug: 'scope-joined',
  severity: 'error',
  source: 'D',
  section: '2.4',
  law: 'Each scope is a list item of its own.',
} satisfies Rule
