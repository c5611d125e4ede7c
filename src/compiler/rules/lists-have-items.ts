import type { Rule } from './rule.js'

export const listsHaveItems = {
  code: 'SVC0207',
  slug: 'too-few-items',
  severity: 'error',
  source: 'D',
  section: '2.*',
  law: 'A list has as many items as its field needs.',
} satisfies Rule
