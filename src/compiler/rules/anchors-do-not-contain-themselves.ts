import type { Rule } from './rule.js'

export const anchorsDoNotContainThemselves = {
  code: 'SVC0110',
  slug: 'yaml-alias-cycle',
  severity: 'error',
  source: 'Y',
  law: 'An anchored node does not contain its own alias.',
} satisfies Rule
