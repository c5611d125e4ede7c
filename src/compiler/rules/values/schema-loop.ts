import { troublesOf } from '../facts/schemas/troubles.js'
import type { Rule } from '../rule.js'

export const schemaLoop = {
  code: 'SVC2805',
  slug: 'schema-loop',
  severity: 'error',
  source: 'A',
  description: 'A schema that leads back to itself goes into the value on its way.',
  why: 'Else checking a value would never end.',
  whyNot: 'It follows `$ref` from schema to schema, and JSON Schema cannot look up what a value names.',
  ofManifest({ once }, report) {
    for (const { kind, span, message, details } of once(troublesOf)) if (kind === 'loop') report(span, message, details)
  },
} satisfies Rule
