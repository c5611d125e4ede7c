import type { Rule } from '../rule.js'
import { schemaKeyword } from './schema-keyword.js'
import { schemaKeywordValue } from './schema-keyword-value.js'
import { schemaType } from './schema-type.js'
import { schemaReference } from './schema-reference.js'
import { schemaLoop } from './schema-loop.js'
import { schemaPattern } from './schema-pattern.js'
import { schemaSize } from './schema-size.js'
import { valueFitsSchema } from './value-fits-schema.js'

/** The rules of structured values (decisions, section 12). */
export const VALUES_RULES: readonly Rule[] = [
  schemaKeyword,
  schemaKeywordValue,
  schemaType,
  schemaReference,
  schemaLoop,
  schemaPattern,
  schemaSize,
  valueFitsSchema,
]
