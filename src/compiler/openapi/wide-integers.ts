import type { Json } from '../../protocol/manifest.js'
import type { FlatSchema } from './flatten.js'
import { isJsonObject, rawItems, rawMember, resolved, type ApiPlace, type Description } from './references.js'

/** Formats of whole numbers that a number may not hold. */
const WIDE: ReadonlySet<Json | undefined> = new Set(['int64', 'uint64'])

/** A schema of an answer, whose whole numbers of 64 bits may be their digits (decisions, section 19). */
export function withDigits(flat: FlatSchema): FlatSchema {
  const { type, format, enum: values } = flat.keywords
  const types = Array.isArray(type) ? (type as readonly Json[]) : []
  const isWide =
    WIDE.has(format) && values === undefined && types.some((each) => each === 'integer' || each === 'number')
  return isWide ? { ...flat, keywords: { ...flat.keywords, type: [...new Set([...types, 'string'])] } } : flat
}

/** Known results: one place is looked at once. */
export type WideIntegers = WeakMap<object, boolean>

/** Checks whether a schema leads to a whole number of 64 bits, at any depth. */
export function holdsWide(description: Description, place: ApiPlace, known: WideIntegers): boolean {
  const quiet = { ...description, findings: [] }
  /** Seen -> the schema that led there. */
  const seen = new Map<object, object | undefined>()
  const open: (readonly [ApiPlace, object | undefined])[] = [[place, undefined]]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const at = resolved(quiet, next[0])
    if (at === undefined || !isJsonObject(at.value) || seen.has(at.value) || known.get(at.value) === false) continue
    const { value } = at
    seen.set(value, next[1])
    if (known.get(value) === true || WIDE.has(value['format'])) return markWide(value, seen, known)
    open.push(...innerOf(at).map((inner) => [inner, value] as const))
  }
  for (const each of seen.keys()) known.set(each, false)
  return false
}

/** All that led to a schema lead to what it holds. */
function markWide(found: object, seen: ReadonlyMap<object, object | undefined>, known: WideIntegers): true {
  for (let at: object | undefined = found; at !== undefined; at = seen.get(at)) known.set(at, true)
  return true
}

/** The schemas inside of a schema. */
function innerOf(at: ApiPlace): readonly ApiPlace[] {
  const properties = rawMember(at, 'properties')
  const names = isJsonObject(properties?.value) ? Object.keys(properties.value) : []
  return [
    ...names.flatMap((name) => rawMember(properties!, name) ?? []),
    ...['items', 'additionalProperties'].flatMap((name) => rawMember(at, name) ?? []),
    ...['allOf', 'anyOf', 'oneOf'].flatMap((word) => rawItems(at, word)),
  ]
}
