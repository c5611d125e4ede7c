import { newInliner, type Inliner } from './inlined-schema.js'
import type { Capability, Input, JsonObject, OutputField } from './manifest.js'
import { callerMayOmit, callerMaySend, fieldMayBeNull, isResolved } from './presence.js'
import { typeSchema } from './type-schemas.js'
import { resultMayLackMembers } from './upstream-terms.js'
import { narrowed, schemaOf, type ValueSchemas } from './value-schema.js'

/**
 * Returns the input schema for a model. An input that the service can ask for is optional: only then can the service
 * ask (section 2.6).
 */
export function toolInputSchema(inputs: readonly Input[], shared: ValueSchemas = {}): JsonObject {
  const inliner = newInliner(shared)
  const sent = inputs.filter(callerMaySend)
  const required = sent.filter((input) => !callerMayOmit(input)).map(({ name }) => name)
  return {
    type: 'object',
    properties: Object.fromEntries(sent.map((input) => [input.name, inputSchema(input, inliner)])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
    ...definitionsOf(inliner),
  }
}

/** Returns the definitions: schemas that are used several times, or recursive. */
function definitionsOf({ definitions }: Inliner, most?: number): JsonObject {
  const made = definitions(most)
  return Object.keys(made).length === 0 ? {} : { $defs: made }
}

/** Closed values need no bounds beside them: models read every word of a schema. */
function inputSchema(input: Input, { inlined }: Inliner): JsonObject {
  const closed = isResolved(input) ? undefined : input.allowed_values
  const schema = isResolved(input) || closed !== undefined ? undefined : schemaOf(input)
  const { minimum, maximum, ...plain } =
    schema === undefined ? typeSchema(input.type) : inlined(narrowed(schema, input.type))
  const bounds =
    closed !== undefined ? {} : { ...(minimum !== undefined && { minimum }), ...(maximum !== undefined && { maximum }) }
  return {
    ...plain,
    ...bounds,
    ...(closed !== undefined && { enum: closed }),
    ...(input.description !== undefined && { description: input.description }),
    ...(input.default !== undefined && { default: input.default }),
  }
}

/** Definitions of an output, in characters of JSON: an API whose schemas all lead to each other has them in each tool. */
const MOST_DEFINED = 8192

/** Returns the output schema for a model; in a composition, null stands for a value that no step gave. */
export function toolOutputSchema(
  { output: { fields }, kind, ...rest }: OutputOwner,
  shared: ValueSchemas = {},
): JsonObject {
  const inliner = newInliner(shared)
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field, kind, inliner)])),
    required: resultMayLackMembers(rest) ? [] : fields.map(({ name }) => name),
    ...definitionsOf(inliner, MOST_DEFINED),
  }
}

type OutputOwner = Pick<Capability, 'output' | 'kind' | 'extensions' | 'side_effect'>

/** A list of types is not portable among dialects of models; a choice of schemas is. */
function fieldSchema(field: OutputField, kind: Capability['kind'], { inlined }: Inliner): JsonObject {
  const { type, description } = field
  const inside = schemaOf(field)
  const schema = inside === undefined ? typeSchema(type) : inlined(narrowed(inside, type))
  return {
    ...(fieldMayBeNull(field, kind) && Object.keys(schema).length > 0 ? { anyOf: [schema, { type: 'null' }] } : schema),
    ...(description !== undefined && { description }),
  }
}
