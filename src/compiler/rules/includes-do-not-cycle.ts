import type { Rule } from './rule.js'

export const includesDoNotCycle = {
  code: 'SVC0128',
  slug: 'include-cycle',
  severity: 'error',
  source: 'Y',
  law: 'Included files do not include each other.',
} satisfies Rule
