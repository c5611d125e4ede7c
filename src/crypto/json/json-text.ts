/** Size of a JSON text, measured without creating values: one pass in linear time. */

export interface JsonText {
  /** Members that are written: outside of strings, each colon is one. */
  readonly members: number
  /** Arrays, objects, and what follows a comma: never fewer than half of the values that are written. */
  readonly values: number
  /** Nesting depth of arrays and objects. */
  readonly depth: number
  /** Holds when an integer is written that a double would change. */
  readonly hasInexactInteger: boolean
  /** Holds when a number is written that no double can hold. */
  readonly hasInfinity: boolean
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a
const COMMA = 0x2c
const [ZERO, NINE] = [0x30, 0x39]
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]
/** The shortest text of an integer that may not be a safe one. */
const UNSAFE_DIGITS = 16

/** Walks a text; of one that is not JSON it says something, and ends. */
export function readJsonText(text: string): JsonText {
  let [members, values, depth, deepest, hasInexactInteger, hasInfinity] = [0, 0, 0, 0, false, false]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at)
    else if (code === COLON) members++
    else if (code === COMMA) values++
    else if (code === OPEN_ARRAY || code === OPEN_OBJECT) {
      values++
      deepest = Math.max(deepest, ++depth)
    } else if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) depth--
    else if (code >= ZERO && code <= NINE) {
      const end = endOfNumber(text, at)
      hasInexactInteger ||= end - at >= UNSAFE_DIGITS && isInexact(text.slice(at, end))
      hasInfinity ||= end - at >= 4 && !Number.isFinite(Number(text.slice(at, end)))
      at = end - 1
    }
  }
  return { members, values, depth: deepest, hasInexactInteger, hasInfinity }
}

/** Returns the place of the closing quote, or the end of a text without one. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end === -1 ? text.length : end
}

function isEscaped(text: string, at: number): boolean {
  let before = at - 1
  while (text.charCodeAt(before) === BACKSLASH) before--
  return (at - before) % 2 === 0
}

function endOfNumber(text: string, start: number): number {
  let end = start + 1
  while (isOfNumber(text.charCodeAt(end))) end++
  return end
}

const [PLUS, MINUS, DOT, UPPER_E, LOWER_E] = [0x2b, 0x2d, 0x2e, 0x45, 0x65]

const isOfNumber = (code: number): boolean =>
  (code >= ZERO && code <= NINE) ||
  code === DOT ||
  code === LOWER_E ||
  code === UPPER_E ||
  code === MINUS ||
  code === PLUS

/** Holds for an integer that is neither the value of its double nor the text that ECMAScript writes for it. */
const isInexact = (literal: string): boolean =>
  /^\d+$/u.test(literal) &&
  Number.isFinite(Number(literal)) &&
  String(Number(literal)) !== literal &&
  BigInt(Number(literal)) !== BigInt(literal)
