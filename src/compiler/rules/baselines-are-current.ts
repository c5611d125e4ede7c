import type { Rule } from './rule.js'

export const baselinesAreCurrent = {
  code: 'SVC0009',
  slug: 'stale-baseline',
  severity: 'warning',
  source: 'Y',
  law: 'A baseline holds only findings that still occur.',
} satisfies Rule
