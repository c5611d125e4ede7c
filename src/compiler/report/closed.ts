import type { JsonObject } from '../../protocol/manifest.js'
import { OUTPUT_VERSION } from './printed-json.js'

/** The JSON Schema of an object that has these members and no others; all of them, but for the optional ones. */
export function closed(
  description: string,
  members: { readonly [name: string]: JsonObject },
  optional: { readonly [name: string]: JsonObject } = {},
): JsonObject {
  return {
    description,
    type: 'object',
    properties: { ...members, ...optional },
    required: Object.keys(members),
    additionalProperties: false,
  }
}

export const textSchema = (description: string): JsonObject => ({ description, type: 'string' })
export const countSchema = (description: string): JsonObject => ({ description, type: 'integer', minimum: 0 })
export const flagSchema = (description: string): JsonObject => ({ description, type: 'boolean' })
export const oneOfSchema = (description: string, words: readonly string[]): JsonObject => ({
  description,
  enum: [...words],
})
export const listOf = (description: string, items: JsonObject): JsonObject => ({ description, type: 'array', items })
/** In UTC, to the millisecond. */
export const time = (description: string): JsonObject => ({
  description: `${description} RFC 3339, in UTC.`,
  type: 'string',
  format: 'date-time',
})
/** The version that each output states. A change that could break a reader raises it. */
export const versionOf = (version: number): JsonObject => ({
  description: 'The version of this shape.',
  const: version,
})
export const version = versionOf(OUTPUT_VERSION)
