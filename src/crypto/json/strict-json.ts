/**
 * JSON as two parsers cannot read it differently (I-JSON, RFC 7493): UTF-8, no duplicate members, no half surrogate
 * pairs, no integer that a double would change. Linear in the size of the text.
 */
import type { Json, JsonObject } from '../../protocol/manifest.js'
import { readJsonText, type JsonText } from './json-text.js'

export interface StrictJsonLimits {
  /** Maximum nesting of arrays and objects; 64 if absent. */
  readonly maxDepth?: number
  /**
   * Maximum number of members in all objects together; unlimited if absent. A text with more is refused before values
   * are created.
   */
  readonly maxMembers?: number
  /** Most arrays, objects and values after a comma; unlimited if absent. */
  readonly maxValues?: number
  /** A character that no text may hold; every one may, if absent. */
  readonly refuses?: typeof NUL
}

/** U+0000, which PostgreSQL stores in no text (decisions, section 20). */
export const NUL = '\0'

export type StrictJson =
  | { readonly ok: true; readonly value: Json }
  /** `reason` is a full sentence that quotes nothing but member names. */
  | { readonly ok: false; readonly reason: string }

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const DEFAULT_MAX_DEPTH = 64

/** Parses JSON strictly. Objects own all their members, `__proto__` included. Never throws. */
export function parseStrictJson(input: Uint8Array | string, limits: StrictJsonLimits = {}): StrictJson {
  const {
    maxDepth = DEFAULT_MAX_DEPTH,
    maxMembers = Number.POSITIVE_INFINITY,
    maxValues = Number.POSITIVE_INFINITY,
  } = limits
  const text = typeof input === 'string' ? input : decoded(input)
  if (text === undefined) return refused('The JSON is not valid UTF-8.')
  const written = readJsonText(text)
  if (written.members > maxMembers) return refused(`The JSON has more than ${maxMembers} members.`)
  if (written.values > maxValues) return refused(`The JSON has more than ${maxValues} values.`)
  const value = parsed(text)
  if (value === undefined) return refused('The text is not valid JSON.')
  const trouble = troubleIn(text, written, value, maxDepth) ?? nulIn(text, value, limits)
  return trouble === undefined ? { ok: true, value } : refused(trouble)
}

const refused = (reason: string): StrictJson => ({ ok: false, reason })

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return UTF8.decode(bytes)
  } catch {
    return undefined
  }
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

function troubleIn(text: string, written: JsonText, value: Json, maxDepth: number): string | undefined {
  if (written.depth > maxDepth) return `The JSON nests deeper than ${maxDepth} levels.`
  if (written.hasInfinity) return 'The JSON has a number that is too large.'
  if (written.hasInexactInteger) return 'The JSON has an integer that a double cannot carry exactly.'
  if (mayHaveHalfPairs(text) && hasHalfPair(value)) return 'The JSON has half of a surrogate pair.'
  // A member that was written twice was parsed once.
  if (written.members !== membersOf(value)) return 'The JSON has an object with a duplicate member.'
  return undefined
}

/** JSON writes the character escaped, and most texts have no such escape. */
const nulIn = (text: string, value: Json, { refuses }: StrictJsonLimits): string | undefined =>
  refuses !== undefined && text.includes('\\u0000') && holds(value, (each) => each.includes(refuses))
    ? 'The JSON has the character U+0000.'
    : undefined

const HALF_PAIR = /\p{Cs}/u
const ESCAPED_SURROGATE = /\\u[dD][89a-fA-F]/u

/** Most texts have no surrogate at all, written out or escaped. */
const mayHaveHalfPairs = (text: string): boolean => ESCAPED_SURROGATE.test(text) || HALF_PAIR.test(text)

const hasHalfPair = (value: Json): boolean => holds(value, (text) => HALF_PAIR.test(text))

/** Judges every text of a value, names of members included. */
function holds(value: Json, judge: (text: string) => boolean): boolean {
  if (typeof value === 'string') return judge(value)
  if (typeof value !== 'object' || value === null) return false
  if (!Array.isArray(value) && Object.keys(value).some(judge)) return true
  return Object.values(value).some((each) => holds(each, judge))
}

function membersOf(value: Json): number {
  if (typeof value !== 'object' || value === null) return 0
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + membersOf(each), 0)
  // `Object.values` of thousands of members takes longer than parsing them.
  const names = Object.keys(value)
  return names.reduce((sum, name) => sum + membersOf((value as JsonObject)[name]!), names.length)
}
