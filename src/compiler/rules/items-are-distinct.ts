import type { Rule } from './rule.js'

export const itemsAreDistinct = {
  code: 'SVC0208',
  slug: 'duplicate-item',
  severity: 'error',
  source: 'D',
  section: '2.*',
  law: 'An item is listed once.',
} satisfies Rule
