import type { Capability, Input, JsonObject, OutputField } from './manifest.js'
import { callerMayOmit, callerMaySend, fieldMayBeNull, isResolved } from './presence.js'
import { typeSchema } from './type-schemas.js'

/**
 * What a model may send. An input that the service would ask back for is optional: only so can it ask (section 2.6).
 */
export function toolInputSchema(inputs: readonly Input[]): JsonObject {
  const sent = inputs.filter(callerMaySend)
  const required = sent.filter((input) => !callerMayOmit(input)).map(({ name }) => name)
  return {
    type: 'object',
    properties: Object.fromEntries(sent.map((input) => [input.name, inputSchema(input)])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  }
}

/** Closed values need no bounds beside them: models read every word of a schema. */
function inputSchema(input: Input): JsonObject {
  const closed = isResolved(input) ? undefined : input.allowed_values
  const { minimum, maximum, ...plain } = typeSchema(input.type)
  const bounds = closed !== undefined || minimum === undefined ? {} : { minimum, maximum: maximum! }
  return {
    ...plain,
    ...bounds,
    ...(closed !== undefined && { enum: closed }),
    ...(input.description !== undefined && { description: input.description }),
    ...(input.default !== undefined && { default: input.default }),
  }
}

/** What a model gets back; in a composition a value that no step gave is null. */
export const toolOutputSchema = (fields: readonly OutputField[], kind: Capability['kind']): JsonObject => ({
  type: 'object',
  properties: Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field, kind)])),
  required: fields.map(({ name }) => name),
})

/** A list of types is not portable among dialects of models; a choice of schemas is. */
function fieldSchema(field: OutputField, kind: Capability['kind']): JsonObject {
  const { type, description } = field
  const schema = typeSchema(type)
  return {
    ...(fieldMayBeNull(field, kind) && 'type' in schema ? { anyOf: [schema, { type: 'null' }] } : schema),
    ...(description !== undefined && { description }),
  }
}
