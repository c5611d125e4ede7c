import type { Rule } from './rule.js'

export const integersAreExact = {
  code: 'SVC0115',
  slug: 'yaml-big-int',
  severity: 'error',
  source: 'Y',
  law: 'An integer stays within 2^53.',
} satisfies Rule
