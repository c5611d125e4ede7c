import { troublesOf } from '../facts/schemas/troubles.js'
import type { Rule } from '../rule.js'

export const schemaSize = {
  code: 'SVC2807',
  slug: 'schema-size',
  severity: 'error',
  source: 'A',
  description: 'A schema is of a size, a depth and a kind whose values are checked quickly.',
  whyNot: 'It measures the text of a schema and the choices within it, and JSON Schema counts neither.',
  ofManifest({ once }, report) {
    for (const { kind, span, message, details } of once(troublesOf)) if (kind === 'size') report(span, message, details)
  },
} satisfies Rule
