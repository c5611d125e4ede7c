import { shownValue } from '../facts/values.js'
import { mappingsOf } from '../facts/mappings.js'
import type { Rule } from '../rule.js'

export const mappingLiteral = {
  code: 'SVC4117',
  slug: 'mapping-literal',
  severity: 'error',
  source: 'A',
  section: '2.8',
  law: 'A mapping value is a path, not a literal.',
  needs: 'composition',
  ofCapability({ capability }, tell) {
    for (const { value, spot } of mappingsOf(capability))
      if (typeof value !== 'string')
        tell(
          spot,
          `${shownValue(value)} is a literal; a mapping value is a path. Give the child input a default instead.`,
        )
  },
} satisfies Rule
