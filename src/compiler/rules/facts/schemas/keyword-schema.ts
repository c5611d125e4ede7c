/** Schemas of structured values as JSON Schema (draft 7): the table of keywords, for tools that run no rules. */
import type { JsonObject } from '../../../../protocol/manifest.js'
import type { SchemaType } from '../../../../protocol/value-schema.js'
import { has, members, some, when } from '../../schema-part.js'
import { ANNOTATING, LEADS } from './judge-schema.js'
import { INNER_SCHEMA, KEYWORDS } from './keywords.js'
import { SHARED_NAME } from './troubles.js'

/** Schema for the places where a manifest has a schema. */
export const VALUE_SCHEMA: JsonObject = INNER_SCHEMA

/** `x-schemas`. */
export const SHARED_SCHEMAS: JsonObject = {
  type: 'object',
  propertyNames: { pattern: SHARED_NAME.source },
  additionalProperties: INNER_SCHEMA,
}

/** Beside a reference or choices stand annotations only. */
const ALONE = LEADS.map((lead) =>
  when(has(lead), { type: 'object', propertyNames: { enum: [lead, ...ANNOTATING] } }),
)

/** The definition that both refer to. */
export const VALUE_SCHEMA_DEFINITION: JsonObject = {
  title: 'schema of a value',
  type: 'object',
  properties: Object.fromEntries([...KEYWORDS].map(([name, { schema }]) => [name, schema])),
  additionalProperties: false,
  allOf: ALONE,
}

/** Holds of a field whose schema names no type that the field does not take. */
export function typesNarrow(types: readonly SchemaType[]): JsonObject {
  const taken: JsonObject = { enum: types.includes('number') ? [...types, 'integer'] : types }
  const named = some(taken, { type: 'array', items: taken })
  return members({ 'x-schema': members({ type: named }) })
}
