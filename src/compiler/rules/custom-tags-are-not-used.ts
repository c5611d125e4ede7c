import type { Rule } from './rule.js'

export const customTagsAreNotUsed = {
  code: 'SVC0112',
  slug: 'yaml-tag',
  severity: 'error',
  source: 'Y',
  law: 'Values carry no custom tags.',
  why: 'Tags make some parsers construct objects.',
} satisfies Rule
