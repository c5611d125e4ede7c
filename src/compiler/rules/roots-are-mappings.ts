import type { Rule } from './rule.js'

export const rootsAreMappings = {
  code: 'SVC0106',
  slug: 'yaml-root-not-map',
  severity: 'error',
  source: 'Y',
  law: 'A manifest is a mapping.',
} satisfies Rule
