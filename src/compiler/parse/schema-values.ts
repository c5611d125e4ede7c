/** Keywords and values of the schemas of one file, a collection counting as three: each takes 400 bytes to read. */
export const MOST_SCHEMA_VALUES = 200_000

const COLLECTION = 3
/** A line of a block has a key and what it takes, or opens a collection. */
const LINE = 2

const FIELD = /x-schemas?["']?[ \t]*:/gu
const [TAB, LINE_END, RETURN, SPACE, DOUBLE, HASH, SINGLE] = [9, 10, 13, 32, 34, 35, 39] as const
const [COMMA, COLON, LIST, BACKSLASH, LIST_END, MAP, MAP_END] = [44, 58, 91, 92, 93, 123, 125] as const

interface Count {
  values: number
}

/**
 * Returns the place where the schemas of a text exceed the limit; undefined if they do not. Counts the separators of
 * values, so that nothing is created for an oversized text. Schemas behind an alias or an escape are bounded only by
 * the limit of the file.
 */
export function tooManySchemaValues(text: string): number | undefined {
  if (text.length < MOST_SCHEMA_VALUES / COLLECTION) return undefined
  const count: Count = { values: 0 }
  let from = 0
  for (const { 0: field, index } of text.matchAll(FIELD)) {
    if (index < from) continue
    const start = startOfValue(text, index + field.length)
    from = opens(text.charCodeAt(start)) ? endOfFlow(text, start, count) : endOfBlock(text, index, count)
    if (count.values > MOST_SCHEMA_VALUES) return start
  }
  return undefined
}

const opens = (code: number): boolean => code === LIST || code === MAP
const isBlank = (code: number): boolean => code === SPACE || code === TAB || code === LINE_END || code === RETURN

function startOfValue(text: string, from: number): number {
  let at = from
  while (isBlank(text.charCodeAt(at))) at++
  return at
}

/** Returns the weight of one character. */
const weightOf = (code: number): number => (code === COMMA || code === COLON ? 1 : opens(code) ? COLLECTION : 0)

/** Up to the bracket that closes the first one. */
function endOfFlow(text: string, start: number, count: Count): number {
  let depth = 0
  let before: number = COLON
  for (let at = start; at < text.length && count.values <= MOST_SCHEMA_VALUES; at++) {
    const code = text.charCodeAt(at)
    if (isBlank(code)) continue
    // Elsewhere a quote is part of a word.
    const isQuote = (code === DOUBLE || code === SINGLE) && (before === COMMA || before === COLON || opens(before))
    if (isQuote) at = endOfQuotes(text, at, code)
    count.values += weightOf(code)
    if (opens(code)) depth++
    if ((code === LIST_END || code === MAP_END) && --depth === 0) return at
    before = code
  }
  return text.length
}

/** The quote that closes a text, or the end: then nothing behind it is read. */
function endOfQuotes(text: string, start: number, quote: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === BACKSLASH && quote === DOUBLE) at++
    else if (code === quote) return at
  }
  return text.length
}

/** Up to the first line that is not indented more than its key. */
function endOfBlock(text: string, key: number, count: Count): number {
  const column = key - text.lastIndexOf('\n', key) - 1
  let at = key
  while (at < text.length && count.values <= MOST_SCHEMA_VALUES) {
    const code = text.charCodeAt(at++)
    count.values += weightOf(code)
    if (code !== LINE_END) continue
    if (indentAt(text, at) <= column) return at
    count.values += LINE
  }
  return at
}

/** Spaces before what stands on a line; without end where that is nothing, or a comment. */
function indentAt(text: string, start: number): number {
  let at = start
  while (text.charCodeAt(at) === SPACE) at++
  const code = text.charCodeAt(at)
  return code === LINE_END || code === RETURN || code === HASH ? Infinity : at - start
}
