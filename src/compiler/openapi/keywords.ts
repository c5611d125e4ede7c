import type { Json } from '../../protocol/manifest.js'
import { NOTES, type NoteText } from './notes.js'
import { VALUE_FORMATS } from '../../protocol/value-schema.js'

/** Keywords that say nothing of which values fit. */
export const ANNOTATIONS: ReadonlySet<string> = new Set([
  'title', 'example', 'examples', 'xml', 'externalDocs', 'summary', '$schema', '$id', '$anchor', '$comment', '$defs', 'definitions', 'contentEncoding', 'contentMediaType',
  'default',
]) // prettier-ignore

/** Keywords that are looked at as they are. */
export const CARRIED: ReadonlySet<string> = new Set([
  'description', 'format', 'pattern', 'uniqueItems', 'deprecated', 'readOnly', 'writeOnly',
]) // prettier-ignore

const GREATER = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']
const LESS = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']

/** Keywords with a number. */
export const BOUNDS: ReadonlySet<string> = new Set([...GREATER, ...LESS, 'multipleOf'])

/** The bound that holds where two do. */
export function stricter(name: string, before: Json | undefined, now: Json, lost: NoteText[]): Json {
  if (typeof now !== 'number') return before ?? now
  if (typeof before !== 'number') return now
  if (GREATER.includes(name)) return Math.max(before, now)
  if (LESS.includes(name)) return Math.min(before, now)
  if (before !== now) lost.push(NOTES.multipleOf.says())
  return now
}

export const isScalarOrNull = (value: Json): boolean => value === null || typeof value !== 'object'

/** Checks whether a number is read and written without loss: whole numbers beyond 2^53 are not (SVC0115). */
export const isExact = (value: Json | undefined): value is number =>
  typeof value === 'number' && Number.isFinite(value) && (Number.isSafeInteger(value) || !Number.isInteger(value))

/** Formats that bound nothing beside their type. */
const NUMERIC: ReadonlySet<string> = new Set(['int32', 'int64', 'float', 'double', 'byte', 'binary', 'password'])

/** The format as structured values have it; undefined for one that says nothing, or that none of them is. */
export function carriedFormat(format: Json | undefined, lost: NoteText[]): string | undefined {
  if (typeof format !== 'string' || NUMERIC.has(format)) return undefined
  const name = format === 'url' ? 'uri' : format
  if ((VALUE_FORMATS as readonly string[]).includes(name)) return name
  lost.push(NOTES.format.says(format))
  return undefined
}
