import type { Rule } from './rule.js'

export const booleansAreTrueOrFalse = {
  code: 'SVC0113',
  slug: 'yaml-1.1-boolean',
  severity: 'error',
  source: 'Y',
  law: 'A boolean is written `true` or `false`.',
  why: 'YAML 1.1 reads yes, no, on and off as booleans, YAML 1.2 as text.',
} satisfies Rule
