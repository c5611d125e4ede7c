import type { Rule } from './rule.js'

export const descriptionsAreText = {
  code: 'SVC2001',
  slug: 'description-blank',
  severity: 'error',
  source: 'S',
  section: '2.4',
  law: 'A description is human-readable text.',
} satisfies Rule
