import type { Json, JsonObject } from '../../protocol/manifest.js'

/** Checks whether an unchecked JSON value is an object. */

export const isRecord = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isText = (value: Json | undefined): value is string => typeof value === 'string'

/** A whole number, 0 or more. */
export const isCount = (value: Json | undefined): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
