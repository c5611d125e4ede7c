import type { Rule } from '../rule.js'
import { schemaKeyword } from './schema-keyword.js'
import { schemaKeywordValue } from './schema-keyword-value.js'
import { schemaType } from './schema-type.js'
import { schemaReference } from './schema-reference.js'
import { schemaLoop } from './schema-loop.js'
import { schemaPattern } from './schema-pattern.js'
import { schemaSize } from './schema-size.js'
import { literalTwice } from './literal-twice.js'
import { literalType } from './literal-type.js'
import { literalNotAllowed } from './literal-not-allowed.js'
import { literalFitsSchema } from './literal-fits-schema.js'
import { valueFitsSchema } from './value-fits-schema.js'

/** The rules of structured values and of literals (decisions, section 12). */
export const VALUES_RULES: readonly Rule[] = [
  schemaKeyword,
  schemaKeywordValue,
  schemaType,
  schemaReference,
  schemaLoop,
  schemaPattern,
  schemaSize,
  valueFitsSchema,
  // Literals of compositions
  literalTwice,
  literalType,
  literalNotAllowed,
  literalFitsSchema,
]
