import { troublesOf } from '../facts/schemas/troubles.js'
import type { Rule } from '../rule.js'

export const schemaType = {
  code: 'SVC2803',
  slug: 'schema-type',
  severity: 'error',
  source: 'A',
  description: 'A schema names the type that it bounds, and narrows the type of its field.',
  role: { isLeftToLayout: true },
  ofManifest({ once }, report) {
    for (const { kind, span, message, details } of once(troublesOf)) if (kind === 'type') report(span, message, details)
  },
} satisfies Rule
