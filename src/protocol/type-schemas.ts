import type { JsonObject } from './manifest.js'

/** Type word -> JSON Schema (2020-12), for each word that is checked (decisions, section 1). */
export const TYPE_SCHEMAS: ReadonlyMap<string, JsonObject> = new Map<string, JsonObject>([
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

/** The schema of a type word; a domain type is a string (section 2.5). */
export const typeSchema = (type: string): JsonObject => TYPE_SCHEMAS.get(type) ?? { type: 'string', title: type }
