import type { Json, JsonObject } from '../../../protocol/manifest.js'

/** Lists the facts of a preview: its members, except those shown elsewhere. */
export const factsOf = (value: Json | undefined): readonly (readonly [name: string, value: Json])[] =>
  isMembers(value)
    ? Object.entries(value).filter(([name]) => name !== 'summary' && name !== 'action')
    : value === undefined
      ? []
      : [['preview', value]]

/** Holds for an object. */
export const isMembers = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A value as text: words and numbers as they are, everything else as JSON. */
export const valueText = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value))
