import { troublesOf } from '../facts/schemas/troubles.js'
import type { Rule } from '../rule.js'

export const schemaReference = {
  code: 'SVC2804',
  slug: 'schema-reference',
  severity: 'error',
  source: 'A',
  description: '`$ref` leads to a schema under `x-schemas`, or to a file in the folder of the manifest.',
  why: 'The served manifest validates by itself: a file becomes a shared schema of it, and nothing is loaded from elsewhere.',
  whyNot: 'It looks up what `$ref` names, in the manifest or in another file, and JSON Schema cannot.',
  role: { isLeftToLayout: true },
  ofManifest({ once }, report) {
    for (const { kind, span, message, details } of once(troublesOf))
      if (kind === 'reference') report(span, message, details)
  },
} satisfies Rule
