import type { Rule } from './rule.js'

export const outputMappingsMapSomething = {
  code: 'SVC4113',
  slug: 'output-mapping-empty',
  severity: 'error',
  source: 'A',
  section: '2.8',
  law: '`output_mapping` maps at least one field.',
} satisfies Rule
