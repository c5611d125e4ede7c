/**
 * JSON as two parsers cannot read it differently (I-JSON, RFC 7493): UTF-8, no duplicate members, no half surrogate pairs, no
 * integer that a double would change. Linear in the size of the text.
 */
import type { Json } from '../protocol/manifest.js'

export interface StrictJsonLimits {
  /** How deep arrays and objects may nest; 64 unless given. */
  readonly maxDepth?: number
}

export type StrictJson =
  | { readonly ok: true; readonly value: Json }
  /** `reason` is a full sentence that quotes nothing but member names. */
  | { readonly ok: false; readonly reason: string }

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const LONE_SURROGATE = /\p{Cs}/u
const DEFAULT_MAX_DEPTH = 64

/** Parses JSON strictly. Objects own all their members, `__proto__` included. Never throws. */
export function parseStrictJson(input: Uint8Array | string, limits: StrictJsonLimits = {}): StrictJson {
  const text = typeof input === 'string' ? input : decoded(input)
  if (text === undefined) return refused('The JSON is not valid UTF-8.')
  const value = parsed(text)
  if (value === undefined) return refused('The text is not valid JSON.')
  const maxDepth = limits.maxDepth ?? DEFAULT_MAX_DEPTH
  const trouble = troubleIn(text, value, maxDepth)
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

function troubleIn(text: string, value: Json, maxDepth: number): string | undefined {
  const tally: Tally = { members: 0, trouble: undefined }
  survey(value, 0, maxDepth, tally)
  if (tally.trouble !== undefined) return tally.trouble
  const written = membersWritten(text)
  if (written.inexact) return 'The JSON has an integer that a double cannot carry exactly.'
  // A member that was written twice was parsed once.
  if (written.members !== tally.members) return 'The JSON has an object with a duplicate member.'
  return undefined
}

interface Tally {
  members: number
  trouble: string | undefined
}

function survey(value: Json, depth: number, maxDepth: number, tally: Tally): void {
  if (typeof value === 'string') {
    if (LONE_SURROGATE.test(value)) tally.trouble = 'The JSON has half of a surrogate pair.'
  } else if (typeof value === 'number') {
    if (!Number.isFinite(value)) tally.trouble = 'The JSON has a number that is too large.'
  } else if (typeof value === 'object' && value !== null) {
    surveyMembers(value, depth + 1, maxDepth, tally)
  }
}

function surveyMembers(container: object, depth: number, maxDepth: number, tally: Tally): void {
  if (depth > maxDepth) {
    tally.trouble = `The JSON nests deeper than ${maxDepth} levels.`
    return
  }
  const members = Object.values(container) as readonly Json[]
  if (!Array.isArray(container)) {
    tally.members += members.length
    for (const name in container) survey(name, depth, maxDepth, tally)
  }
  for (const member of members) survey(member, depth, maxDepth, tally)
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a
const [ZERO, NINE] = [0x30, 0x39]
/** The shortest text of an integer that may not be a safe one. */
const UNSAFE_DIGITS = 16

/** Walks text that is known to be JSON: outside of strings, each colon is one member. */
function membersWritten(text: string): { readonly members: number; readonly inexact: boolean } {
  let members = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at)
    else if (code === COLON) members++
    else if (code >= ZERO && code <= NINE) {
      const end = endOfNumber(text, at)
      if (end - at >= UNSAFE_DIGITS && isInexact(text.slice(at, end))) return { members, inexact: true }
      at = end - 1
    }
  }
  return { members, inexact: false }
}

function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end
}

function isEscaped(text: string, at: number): boolean {
  let before = at - 1
  while (text.charCodeAt(before) === BACKSLASH) before--
  return (at - before) % 2 === 0
}

function endOfNumber(text: string, start: number): number {
  let end = start
  while (NUMBER.has(text.charCodeAt(end))) end++
  return end
}

const NUMBER: ReadonlySet<number> = new Set([...'0123456789.eE+-'].map((character) => character.charCodeAt(0)))

/** Holds for an integer that is neither the value of its double nor the text that ECMAScript writes for it. */
const isInexact = (literal: string): boolean =>
  /^\d+$/u.test(literal) && String(Number(literal)) !== literal && BigInt(Number(literal)) !== BigInt(literal)
