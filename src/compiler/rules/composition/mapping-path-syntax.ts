import { formatOf } from '../../shape/formats.js'
import { replace } from '../../finding.js'
import { mappingsOf, FEATURE } from '../facts/mappings.js'
import type { Rule } from '../rule.js'

export const mappingPathSyntax = {
  code: 'SVC4104',
  slug: 'mapping-path-syntax',
  severity: 'error',
  source: 'A',
  section: '2.8',
  description: 'A mapping value is a path: $.input.<name> or $.steps.<id>.output.<field>.',
  needs: 'composition',
  ofCapability({ capability }, report) {
    for (const { value, source, span } of mappingsOf(capability)) {
      if (typeof value !== 'string' || source !== undefined || FEATURE.test(value)) continue
      const fixed = formatOf('path').fix?.(value)
      report(
        span,
        `\`${value}\` is not a ` +
          `path${fixed === undefined ? ' ($.input.<name> or $.steps.<id>.output.<field>)' : `; write \`${fixed}\``}.`,
        fixed === undefined ? {} : { suggestion: fixed, fix: replace(span, fixed) },
      )
    }
  },
} satisfies Rule
