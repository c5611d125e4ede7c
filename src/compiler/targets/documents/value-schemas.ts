import type { Input, Json, JsonObject, OutputField } from '../../../protocol/manifest.js'
import { callerMayOmit, callerMaySend, isResolved } from '../../plan/presence.js'

/** Type word -> JSON Schema (2020-12). A domain type is a string (section 2.5). */
const SCHEMAS: ReadonlyMap<string, JsonObject> = new Map<string, JsonObject>([
  ['string', { type: 'string' }],
  ['integer', { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }],
  ['number', { type: 'number' }],
  ['boolean', { type: 'boolean' }],
  ['date', { type: 'string', format: 'date' }],
  ['datetime', { type: 'string', format: 'date-time' }],
  ['duration', { type: 'string', format: 'duration' }],
  ['object', { type: 'object' }],
  ['array', { type: 'array', items: {} }],
  ['uri', { type: 'string', format: 'uri', maxLength: 2048 }],
  ['email', { type: 'string', format: 'email', maxLength: 254 }],
  ['uuid', { type: 'string', format: 'uuid' }],
  ['any', {}],
])

/** The schema of a type word. */
export const typeSchema = (type: string): JsonObject => SCHEMAS.get(type) ?? { type: 'string', title: type }

/** The schema of what a caller may send for an input. */
export const inputSchema = (input: Input): JsonObject => ({
  ...typeSchema(input.type),
  ...(input.allowed_values === undefined || isResolved(input) ? {} : { enum: input.allowed_values }),
  ...(input.description === undefined ? {} : { description: input.description }),
  ...(input.default === undefined ? {} : { default: input.default }),
})

/** The parameters of a call: unknown ones are refused. */
export function parametersSchema(inputs: readonly Input[]): JsonObject {
  const sent = inputs.filter(callerMaySend)
  const required = sent.filter((input) => !callerMayOmit(input)).map(({ name }) => name)
  return {
    type: 'object',
    properties: Object.fromEntries(sent.map((input) => [input.name, inputSchema(input)])),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  }
}

/** What a capability returns; a composition gives null where no step gave a value. */
export const outputSchema = (fields: readonly OutputField[], nullable: boolean): JsonObject => ({
  type: 'object',
  properties: Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field, nullable)])),
  ...(fields.length === 0 ? {} : { required: fields.map(({ name }) => name) }),
})

function fieldSchema({ type, description }: OutputField, nullable: boolean): JsonObject {
  const schema = typeSchema(type)
  return {
    ...schema,
    ...(nullable && 'type' in schema ? { type: [schema['type']!, 'null'] } : {}),
    ...(description === undefined ? {} : { description }),
  }
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

/** Parameters that a call needs, with values that are right. */
export const parametersExample = (inputs: readonly Input[]): JsonObject =>
  Object.fromEntries(
    inputs
      .filter((input) => callerMaySend(input) && !callerMayOmit(input))
      .map(({ name, type, allowed_values }) => [name, allowed_values?.[0] ?? exampleOfType(type)]),
  )

export const outputExample = (fields: readonly OutputField[]): JsonObject =>
  Object.fromEntries(fields.map(({ name, type }) => [name, exampleOfType(type)]))
