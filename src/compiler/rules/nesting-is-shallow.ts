import type { Rule } from './rule.js'

export const nestingIsShallow = {
  code: 'SVC0120',
  slug: 'yaml-depth',
  severity: 'error',
  source: 'Y',
  law: 'Collections nest at most 64 levels deep.',
} satisfies Rule
