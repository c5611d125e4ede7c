import { troublesOf } from '../facts/schemas/troubles.js'
import type { Rule } from '../rule.js'

export const schemaPattern = {
  code: 'SVC2806',
  slug: 'schema-pattern',
  severity: 'error',
  source: 'A',
  description:
    'A pattern is of the part of regular expressions that every engine reads alike, in time that does not explode.',
  why: 'What is published is run by engines that backtrack, too.',
  whyNot: 'It judges how long a regular expression may take, and JSON Schema does not read one.',
  ofManifest({ once }, report) {
    for (const { kind, span, message, details } of once(troublesOf))
      if (kind === 'pattern') report(span, message, details)
  },
} satisfies Rule
