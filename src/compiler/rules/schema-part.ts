/** Builders of the parts of rules in the published JSON Schema (draft 7). */
import type { Json, JsonObject } from '../../protocol/manifest.js'
import { typesOfWord, type SchemaType } from '../../protocol/value-schema.js'

/**
 * Part of a rule in the published schema, by the title of the shape it applies to. `table` marks a rule whose part
 * comes from a table: that of fields or that of keywords.
 */
export type SchemaPart = 'table' | { readonly [title: string]: JsonObject }

/** Holds if members have these values; a schema in the place of a value holds of the member. */
export const says = (members: { readonly [name: string]: string | JsonObject }): JsonObject => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(members).map(([name, value]) => [name, typeof value === 'string' ? { const: value } : value]),
  ),
  required: Object.keys(members),
})

/** Holds if the members are there. */
export const has = (...names: readonly string[]): JsonObject => ({ type: 'object', required: names })

/** Holds if each member that is there fits its schema. */
export const members = (properties: { readonly [name: string]: Json }): JsonObject => ({ type: 'object', properties })

/** Holds if none of the members is there. */
export const lacks = (...names: readonly string[]): JsonObject =>
  members(Object.fromEntries(names.map((name) => [name, false])))

/** Holds if some item of a list fits. */
export const someItem = (item: JsonObject): JsonObject => ({ type: 'array', contains: item })

/** A list without two items that are alike. */
export const DISTINCT: JsonObject = { type: 'array', uniqueItems: true }

/** Keywords of a condition, by name: an object with a member `then` passes for a promise where it is awaited. */
const [IF, THEN] = ['if', 'then'] as const
/** Holds unless a condition is met and what follows of it is not. */
export const when = (condition: JsonObject, holds: JsonObject): JsonObject => ({ [IF]: condition, [THEN]: holds })
export const allHold = (...parts: readonly JsonObject[]): JsonObject => ({ allOf: parts })
export const some = (...parts: readonly JsonObject[]): JsonObject => ({ anyOf: parts })
export const none = (part: JsonObject): JsonObject => ({ not: part })

/** A capability whose cost is declared in money. */
export const COSTS_MONEY: JsonObject = says({ cost: has('financial') })

const WORDS = ['integer', 'number', 'boolean', 'object', 'array'] as const

/** Returns the constraint for each type word: `any` accepts every value, and a domain type is a text [2.5]. */
export const forEachType = (holds: (types: readonly SchemaType[]) => JsonObject): JsonObject =>
  allHold(
    ...WORDS.map((word) => when(says({ type: word }), holds(typesOfWord(word)))),
    when(says({ type: { type: 'string', not: { enum: [...WORDS, 'any'] } } }), holds(['string'])),
  )

/** Returns the constraint for each value of `input_mapping` and `output_mapping`. */
export const eachMapping = (value: JsonObject): JsonObject =>
  members({
    input_mapping: { type: 'object', additionalProperties: { type: 'object', additionalProperties: value } },
    output_mapping: { type: 'object', additionalProperties: value },
  })

/** A step whose empty result makes the whole result empty. */
export const EMPTY_SOURCE: JsonObject = says({ empty_result_source: { const: true } })
