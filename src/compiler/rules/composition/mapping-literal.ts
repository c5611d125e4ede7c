import { shownValue } from '../facts/values.js'
import { mappingsOf } from '../facts/mappings.js'
import { eachMapping } from '../schema-part.js'
import type { Rule } from '../rule.js'

export const mappingLiteral = {
  code: 'SVC4117',
  slug: 'mapping-literal',
  severity: 'error',
  source: 'A',
  section: '2.8',
  description: 'A mapping value is a path, not a literal.',
  schema: { composition: eachMapping({ type: 'string' }) },
  needs: 'composition',
  ofCapability({ capability }, report) {
    for (const { value, span } of mappingsOf(capability))
      if (typeof value !== 'string')
        report(
          span,
          `${shownValue(value)} is a literal; a mapping value is a path. Write it under \`x-literals\` of the ` +
            'composition.',
        )
  },
} satisfies Rule
