import { troublesOf } from '../facts/schemas/troubles.js'
import { typesNarrow } from '../facts/schemas/keyword-schema.js'
import type { Rule } from '../rule.js'
import { forEachType } from '../schema-part.js'

export const schemaType = {
  code: 'SVC2803',
  slug: 'schema-type',
  severity: 'error',
  source: 'A',
  description: 'A schema names the type that it bounds, and narrows the type of its field.',
  schema: { input: forEachType(typesNarrow), 'output field': forEachType(typesNarrow) },
  whyNot:
    'The types that a schema allows may be those of a shared schema, and JSON Schema cannot look up what `$ref` names.',
  role: { isLeftToLayout: true },
  ofManifest({ once }, report) {
    for (const { kind, span, message, details } of once(troublesOf)) if (kind === 'type') report(span, message, details)
  },
} satisfies Rule
