import { troublesOf } from '../facts/schemas/troubles.js'
import type { Rule } from '../rule.js'
import { TWO_VALUES } from '../why-not.js'

export const schemaKeywordValue = {
  code: 'SVC2802',
  slug: 'schema-keyword-value',
  severity: 'error',
  source: 'A',
  description: 'Each keyword of a schema has a value that it takes, and some value fits.',
  schema: 'table',
  whyNot: TWO_VALUES,
  role: { isLeftToLayout: true },
  ofManifest({ once }, report) {
    for (const { kind, span, message, details } of once(troublesOf))
      if (kind === 'value') report(span, message, details)
  },
} satisfies Rule
