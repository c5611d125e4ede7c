import { troublesOf } from '../facts/schemas/troubles.js'
import { SHARED_SCHEMAS, VALUE_SCHEMA } from '../facts/schemas/keyword-schema.js'
import type { Rule } from '../rule.js'
import { members } from '../schema-part.js'

export const schemaKeyword = {
  code: 'SVC2801',
  slug: 'schema-keyword',
  severity: 'error',
  source: 'A',
  description: 'Structured values use the keywords of the closed list.',
  why:
    'Every target must mean the same by a schema; a keyword that one of them does not know would be checked here ' +
    'and not there.',
  schema: {
    manifest: members({ 'x-schemas': SHARED_SCHEMAS }),
    fragment: members({ 'x-schemas': SHARED_SCHEMAS }),
    input: members({ 'x-schema': VALUE_SCHEMA }),
    'output field': members({ 'x-schema': VALUE_SCHEMA }),
  },
  role: { isLeftToLayout: true },
  ofManifest({ once }, report) {
    for (const { kind, span, message, details } of once(troublesOf))
      if (kind === 'keyword') report(span, message, details)
  },
} satisfies Rule
