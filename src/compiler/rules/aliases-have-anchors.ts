import type { Rule } from './rule.js'

export const aliasesHaveAnchors = {
  code: 'SVC0108',
  slug: 'yaml-unknown-alias',
  severity: 'error',
  source: 'Y',
  law: 'An alias stands after the anchor of its name.',
} satisfies Rule
