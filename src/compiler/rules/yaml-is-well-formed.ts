import type { Rule } from './rule.js'

export const yamlIsWellFormed = {
  code: 'SVC0101',
  slug: 'yaml-syntax',
  severity: 'error',
  source: 'Y',
  law: 'A manifest is well-formed YAML 1.2.',
} satisfies Rule
