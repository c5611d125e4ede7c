import { troublesOf } from '../facts/schemas/troubles.js'
import type { Rule } from '../rule.js'

export const schemaKeyword = {
  code: 'SVC2801',
  slug: 'schema-keyword',
  severity: 'error',
  source: 'A',
  description: 'Structured values use the keywords of the closed list.',
  why:
    'Every target must mean the same by a schema; a keyword that one of them does not know would be checked here ' +
    'and not there.',
  role: { isLeftToLayout: true },
  ofManifest({ once }, report) {
    for (const { kind, span, message, details } of once(troublesOf))
      if (kind === 'keyword') report(span, message, details)
  },
} satisfies Rule
