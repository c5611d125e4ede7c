import { mappingsOf, FEATURE } from '../facts/mappings.js'
import type { Rule } from '../rule.js'

export const mappingJsonpathFeature = {
  code: 'SVC4118',
  slug: 'mapping-jsonpath-feature',
  severity: 'error',
  source: 'A',
  section: '2.8',
  description: 'A path has property access only.',
  needs: 'composition',
  ofCapability({ capability }, report) {
    for (const { value, span } of mappingsOf(capability))
      if (typeof value === 'string' && FEATURE.test(value))
        report(
          span,
          `\`${value}\` goes deeper than a field; a path is $.input.<name> or $.steps.<id>.output.<field>, ` +
            'without filters, wildcards, indexes or recursion.',
        )
  },
} satisfies Rule
