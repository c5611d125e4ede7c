import type { Capability, Input, Json, JsonObject, OutputField } from '../../../protocol/manifest.js'
import { resultMayLackMembers } from '../../../protocol/upstream-terms.js'
import { callerMayOmit, callerMaySend, fieldMayBeNull, isResolved } from '../../../protocol/presence.js'
import { TYPE_SCHEMAS, typeSchema } from '../../../protocol/type-schemas.js'
import { exampleOfSchema } from '../../../protocol/example-of-schema.js'
import { narrowed, publishedSchema, schemaOf, type ValueSchemas } from '../../../protocol/value-schema.js'
import { fitsSchema } from '../../rules/facts/schemas/fits-schema.js'
import { membersText } from './json-text.js'

const nullableSchema = (schema: JsonObject): JsonObject =>
  'type' in schema ? { ...schema, type: [schema['type']!, 'null'] } : schema

const textsOf = (variant: (schema: JsonObject) => JsonObject): ReadonlyMap<string, string> =>
  new Map([...TYPE_SCHEMAS].map(([type, schema]) => [type, membersText(variant(schema))]))

const MEMBERS = textsOf((schema) => schema)
const MEMBERS_OR_NULL = textsOf(nullableSchema)

/**
 * Members of the schema of a type word, as JSON text. Schemas are written, not built: a large service has many
 * thousand.
 */
const typeMembers = (type: string): string => MEMBERS.get(type) ?? membersText(typeSchema(type))
const typeMembersOrNull = (type: string): string =>
  MEMBERS_OR_NULL.get(type) ?? membersText(nullableSchema(typeSchema(type)))

function withMember(members: string, name: string, value: Json | undefined): string {
  if (value === undefined) return members
  const member = `"${name}":${JSON.stringify(value)}`
  return members === '' ? member : `${members},${member}`
}

/** Returns a document's reference to a shared schema. */
export type Refer = (name: string) => string

/** The members of the schema of what is inside a value; undefined where nothing is said of it. */
function insideMembers(field: Input | OutputField, refer: Refer): JsonObject | undefined {
  const schema = schemaOf(field)
  return schema === undefined
    ? undefined
    : (publishedSchema(narrowed(schema, field.type), refer) as unknown as JsonObject)
}

/** The schema of what a caller may send for an input. */
function inputSchema(input: Input, refer: Refer): string {
  const inside = isResolved(input) || input.allowed_values !== undefined ? undefined : insideMembers(input, refer)
  if (inside !== undefined) return `{${withMember(described(inside, input), 'default', input.default)}}`
  const closed = withMember(typeMembers(input.type), 'enum', isResolved(input) ? undefined : input.allowed_values)
  return `{${withMember(withMember(closed, 'description', input.description), 'default', input.default)}}`
}

/** The field's own description stands for the schema's. */
const described = (schema: JsonObject, { description }: Input | OutputField): string =>
  membersText(description === undefined ? schema : { ...schema, description })

const fieldSchema = (field: OutputField, kind: Capability['kind'], refer: Refer): string => {
  const { type, description } = field
  const inside = insideMembers(field, refer)
  if (inside !== undefined)
    return `{${described(fieldMayBeNull(field, kind) ? { anyOf: [inside, { type: 'null' }] } : inside, field)}}`
  const members = fieldMayBeNull(field, kind) ? typeMembersOrNull(type) : typeMembers(type)
  return `{${withMember(members, 'description', description)}}`
}

/** An object schema of properties, name -> schema, some of them required; `more` are further members. */
function objectSchema(properties: ReadonlyMap<string, string>, required: readonly string[], more: string): string {
  let listed = ''
  for (const [name, schema] of properties) listed += `${listed === '' ? '' : ','}${JSON.stringify(name)}:${schema}`
  const demanded = required.length === 0 ? '' : `,"required":${JSON.stringify(required)}`
  return `{"type":"object","properties":{${listed}}${demanded}${more}}`
}

/** The parameters of a call, as JSON text: unknown ones are refused. */
export function parametersSchema(inputs: readonly Input[], refer: Refer): string {
  const sent = inputs.filter(callerMaySend)
  const required = sent.filter((input) => !callerMayOmit(input)).map(({ name }) => name)
  const properties = new Map(sent.map((input) => [input.name, inputSchema(input, refer)]))
  return objectSchema(properties, required, ',"additionalProperties":false')
}

/**
 * Returns the output schema of a capability as JSON text; in a composition, null stands for a value that no step
 * gave.
 */
export function outputSchema(capability: Capability, refer: Refer): string {
  const { output: { fields }, kind } = capability // prettier-ignore
  const properties = new Map(fields.map((field) => [field.name, fieldSchema(field, kind, refer)]))
  const names = fields.map(({ name }) => name)
  return objectSchema(properties, resultMayLackMembers(capability) ? [] : names, '')
}

/** Type word -> a value that is right for it. */
const EXAMPLES: ReadonlyMap<string, Json> = new Map<string, Json>([
  ['integer', 1],
  ['number', 1.5],
  ['boolean', true],
  ['date', '2030-05-01'],
  ['datetime', '2030-05-01T09:30:00Z'],
  ['duration', 'PT15M'],
  ['object', {}],
  ['array', []],
  ['uri', 'https://example.com/'],
  ['email', 'ana@example.com'],
  ['uuid', '6f2c1a52-9f0b-4c1e-8f5d-2a7f0f0a9b3c'],
  ['any', 'any'],
])

const exampleOfType = (type: string): Json => EXAMPLES.get(type) ?? 'text'

/** A value of a field that is right for it: what fits its schema, where it has one; undefined where none is known. */
function exampleOf(field: Input | OutputField, shared: ValueSchemas): Json | undefined {
  const schema = schemaOf(field)
  if (schema === undefined) return exampleOfType(field.type)
  const whole = narrowed(schema, field.type)
  const made = exampleOfSchema(whole, shared, 0)
  return made !== undefined && fitsSchema(made, whole, shared) ? made : undefined
}

/** Parameters that a call needs, with values that are right; none where that is not known of one. */
export function parametersExample(inputs: readonly Input[], shared: ValueSchemas): JsonObject | undefined {
  const needed = inputs.filter((input) => callerMaySend(input) && !callerMayOmit(input))
  return allOf(needed.map((input) => [input.name, input.allowed_values?.[0] ?? exampleOf(input, shared)]))
}

export const outputExample = (fields: readonly OutputField[], shared: ValueSchemas): JsonObject | undefined =>
  allOf(fields.map((field) => [field.name, exampleOf(field, shared)]))

function allOf(members: readonly (readonly [name: string, value: Json | undefined])[]): JsonObject | undefined {
  const known = members.filter((member): member is readonly [string, Json] => member[1] !== undefined)
  return known.length === members.length ? Object.fromEntries(known) : undefined
}
