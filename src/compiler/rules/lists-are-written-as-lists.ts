import type { Rule } from './rule.js'

export const listsAreWrittenAsLists = {
  code: 'SVC0213',
  slug: 'scalar-for-list',
  severity: 'error',
  source: 'D',
  section: '2.4',
  law: 'A list is written as a list, even of one item.',
} satisfies Rule
