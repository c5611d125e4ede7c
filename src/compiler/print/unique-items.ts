import {
  referredName,
  typesNamed,
  type SchemaType,
  type ValueSchema,
  type ValueSchemas,
} from '../../protocol/value-schema.js'

/**
 * A schema whose unique items name their types where they stand, as the schema that they refer to does: ajv then finds
 * a repeated item by looking it up, and never compares each with each.
 */
export function withTypesOfUniqueItems(schema: ValueSchema, shared: ValueSchemas): ValueSchema {
  const { uniqueItems, items } = schema
  if (uniqueItems !== true || items === undefined || items.type !== undefined) return schema
  const types = [...new Set(typesReached(items, shared))]
  return types.length === 0 ? schema : { ...schema, items: { ...items, type: types } }
}

/** The types that a schema names, through references and choices; a judged schema does not lead back. */
function typesReached(schema: ValueSchema, shared: ValueSchemas): readonly SchemaType[] {
  if (schema.$ref !== undefined) return typesReached(shared[referredName(schema.$ref)]!, shared)
  const choices = schema.anyOf ?? schema.oneOf
  return choices === undefined ? (typesNamed(schema) ?? []) : choices.flatMap((each) => typesReached(each, shared))
}
