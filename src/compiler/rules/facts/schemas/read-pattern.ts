/**
 * Regular expressions of structured values: the part of ECMA-262 that a linear-time engine takes, too (decisions,
 * section 12).
 */
import { DIGIT, inverse, LINE_END, SPACE, union, WORD, type CharacterSet } from './character-sets.js'

export type Pattern =
  /** A place in the text, such as its start. */
  | { readonly kind: 'place' }
  | { readonly kind: 'set'; readonly set: CharacterSet }
  | { readonly kind: 'all' | 'any'; readonly parts: readonly Pattern[] }
  | { readonly kind: 'repeat'; readonly part: Pattern; readonly least: number; readonly most: number }

interface Cursor {
  /** Code points. */
  readonly text: readonly string[]
  at: number
  depth: number
  /** Completes "The pattern". */
  fault: string | undefined
}

const CLASSES: ReadonlyMap<string, CharacterSet> = new Map([
  ['d', DIGIT], ['D', inverse(DIGIT)], ['w', WORD], ['W', inverse(WORD)], ['s', SPACE], ['S', inverse(SPACE)],
]) // prettier-ignore
const CONTROLS: ReadonlyMap<string, number> = new Map([['t', 9], ['n', 10], ['v', 11], ['f', 12], ['r', 13]]) // prettier-ignore
const SYNTAX = '^$\\.*+?()[]{}|/'
const DEEPEST = 32
const MOST_REPEATS = 1000
const NESTED = `repeats a part more than ${MOST_REPEATS} times, its counts inside each other multiplied; lower one, or write \`maxLength\``

/** Reads a pattern; of what it may not hold it gives the fault, which completes "The pattern". */
export function readPattern(source: string): { readonly pattern: Pattern } | { readonly fault: string } {
  const cursor: Cursor = { text: [...source], at: 0, depth: 0, fault: undefined }
  const pattern = readChoices(cursor)
  if (cursor.fault === undefined && !isAtEnd(cursor)) fail(cursor, 'has a `)` that closes nothing')
  return cursor.fault === undefined ? { pattern } : { fault: cursor.fault }
}

const isAtEnd = ({ text, at }: Cursor): boolean => at >= text.length
const peek = ({ text, at }: Cursor): string => text[at] ?? ''

/** Notes the first fault, and reads no further. */
function fail(cursor: Cursor, fault: string): void {
  cursor.fault ??= fault
  cursor.at = cursor.text.length
}

function take(cursor: Cursor, wanted: string): boolean {
  if (cursor.text.slice(cursor.at, cursor.at + wanted.length).join('') !== wanted) return false
  cursor.at += wanted.length
  return true
}

function readChoices(cursor: Cursor): Pattern {
  const parts = [readSequence(cursor)]
  while (take(cursor, '|')) parts.push(readSequence(cursor))
  return parts.length === 1 ? parts[0]! : { kind: 'any', parts }
}

function readSequence(cursor: Cursor): Pattern {
  const parts: Pattern[] = []
  while (!isAtEnd(cursor) && peek(cursor) !== '|' && peek(cursor) !== ')') parts.push(readRepeated(cursor))
  return parts.length === 1 ? parts[0]! : { kind: 'all', parts }
}

function readRepeated(cursor: Cursor): Pattern {
  const part = readAtom(cursor)
  const times = readTimes(cursor)
  if (times === undefined) return part
  if (part.kind === 'place') fail(cursor, 'repeats a place, such as `^*`')
  take(cursor, '?')
  if (copiesOf({ kind: 'repeat', part, ...times }) > MOST_REPEATS) fail(cursor, NESTED)
  if ('*+?{'.includes(peek(cursor)) && !isAtEnd(cursor)) fail(cursor, 'repeats a repetition, such as `a**`')
  return { kind: 'repeat', part, ...times }
}

/**
 * Counts the copies of its innermost part that a pattern stands for: the linear engine writes counted repetitions out,
 * and takes no more of them.
 */
function copiesOf(pattern: Pattern): number {
  if (pattern.kind === 'all' || pattern.kind === 'any') return Math.max(1, ...pattern.parts.map(copiesOf))
  if (pattern.kind !== 'repeat' || pattern.most === 0) return 1
  const { least, most, part } = pattern
  return Math.max(1, most === Infinity ? least : most) * copiesOf(part)
}

function readTimes(cursor: Cursor): { readonly least: number; readonly most: number } | undefined {
  if (take(cursor, '*')) return { least: 0, most: Infinity }
  if (take(cursor, '+')) return { least: 1, most: Infinity }
  if (take(cursor, '?')) return { least: 0, most: 1 }
  if (peek(cursor) !== '{') return undefined
  const [whole, from, comma, to] = /^\{(\d{1,6})(,?)(\d{0,6})\}/u.exec(restOf(cursor, 16)) ?? []
  if (whole === undefined) return void fail(cursor, 'has a `{` that begins no count; write `\\{` for the character')
  cursor.at += whole.length
  const least = Number(from)
  const most = comma === '' ? least : to === '' ? Infinity : Number(to)
  if (most < least) fail(cursor, `has ${whole}, which is out of order`)
  if (Math.max(least, most === Infinity ? 0 : most) > MOST_REPEATS) fail(cursor, `repeats more than ${MOST_REPEATS} times in ${whole}; write \`maxLength\``)
  return { least, most }
}

const restOf = ({ text, at }: Cursor, length: number): string => text.slice(at, at + length).join('')

function readAtom(cursor: Cursor): Pattern {
  const character = peek(cursor)
  cursor.at += 1
  switch (character) {
    case '(':
      return readGroup(cursor)
    case '[':
      return { kind: 'set', set: readClass(cursor) }
    case '.':
      return { kind: 'set', set: inverse(LINE_END) }
    case '\\':
      return readEscape(cursor)
    case '^':
    case '$':
      return { kind: 'place' }
    default:
      if (SYNTAX.includes(character) && character !== '/') fail(cursor, `has a \`${character}\` that repeats or closes nothing`)
      return { kind: 'set', set: pointSet(character) }
  }
}

const pointSet = (character: string): CharacterSet => {
  const point = character.codePointAt(0) ?? 0
  return [[point, point]]
}

function readGroup(cursor: Cursor): Pattern {
  if (peek(cursor) === '?' && !take(cursor, '?:'))
    fail(cursor, 'looks ahead or behind, or names a group; only `(…)` and `(?:…)` are taken')
  if (++cursor.depth > DEEPEST) fail(cursor, `has groups more than ${DEEPEST} deep`)
  const inner = readChoices(cursor)
  cursor.depth -= 1
  if (!take(cursor, ')')) fail(cursor, 'has a `(` that nothing closes')
  return inner
}

function readEscape(cursor: Cursor): Pattern {
  const character = peek(cursor)
  const set = CLASSES.get(character)
  if (set !== undefined) {
    cursor.at += 1
    return { kind: 'set', set }
  }
  if (/[1-9k]/u.test(character)) fail(cursor, 'refers back to a group; say the same with `enum`, or in the handler')
  if (/[bB]/u.test(character)) fail(cursor, 'looks for the edge of a word')
  const point = readPoint(cursor)
  return { kind: 'set', set: [[point, point]] }
}

/** The code point of an escape, after its `\`. */
function readPoint(cursor: Cursor): number {
  const character = peek(cursor)
  cursor.at += 1
  const control = CONTROLS.get(character)
  if (control !== undefined) return control
  if (character === 'u' || character === 'x') return readHex(cursor, character)
  if (character === '' || !`${SYNTAX}-`.includes(character)) fail(cursor, `has \`\\${character}\`, which escapes nothing`)
  return character.codePointAt(0) ?? 0
}

function readHex(cursor: Cursor, letter: string): number {
  const digits = letter === 'x' ? 2 : 4
  const hex = restOf(cursor, digits)
  if (!/^[0-9a-fA-F]+$/u.test(hex) || hex.length < digits) fail(cursor, `has \`\\${letter}\` without ${digits} hex digits`)
  const point = Number.parseInt(hex, 16)
  if (point >= 0xd8_00 && point <= 0xdf_ff) fail(cursor, 'has half of a character; write the character itself')
  cursor.at += digits
  return point
}

function readClass(cursor: Cursor): CharacterSet {
  const isInverse = take(cursor, '^')
  const sets: CharacterSet[] = []
  if (peek(cursor) === ']') fail(cursor, 'has empty brackets')
  while (!isAtEnd(cursor) && peek(cursor) !== ']') sets.push(readMember(cursor))
  if (!take(cursor, ']')) fail(cursor, 'has a `[` that nothing closes')
  const set = union(sets)
  return isInverse ? inverse(set) : set
}

function readMember(cursor: Cursor): CharacterSet {
  const first = readClassPoint(cursor)
  if (typeof first !== 'number') return first
  if (peek(cursor) !== '-' || cursor.text[cursor.at + 1] === ']') return [[first, first]]
  cursor.at += 1
  const last = readClassPoint(cursor)
  if (typeof last !== 'number' || last < first) {
    fail(cursor, 'has a range in brackets that is out of order')
    return []
  }
  return [[first, last]]
}

function readClassPoint(cursor: Cursor): number | CharacterSet {
  if (restOf(cursor, 2) === '[:') fail(cursor, 'has `[:` in brackets; write `\\[:`')
  if (!take(cursor, '\\')) {
    const character = peek(cursor)
    cursor.at += 1
    return character.codePointAt(0) ?? 0
  }
  const set = CLASSES.get(peek(cursor))
  if (set === undefined) return readPoint(cursor)
  cursor.at += 1
  return set
}
