import type { Rule } from './rule.js'

export const itemsAreWrittenAsMappings = {
  code: 'SVC0214',
  slug: 'list-of-strings-for-objects',
  severity: 'error',
  source: 'D',
  section: '2.4',
  law: 'An item with several fields is written as a mapping.',
} satisfies Rule
