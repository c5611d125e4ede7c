import type { LineSlip } from './line-slips.js'

/** A key without a value of its own, at the end of its line. */
const OPENS = /^ *(?:- +)*(?:"[^"\n]*"|'[^'\n]*'|[\w.$-]+):[ \t]*(?:#[^\n]*)?$/u
/** A word or a few, or something in brackets: neither a key, an item nor a comment. */
const VALUE = /^ *(?:[{[][^\n]*[}\]]|[^\s{[#"'|>&*!-](?:(?!:[ \t]|:$| #)[^\n])*)$/u

/**
 * A value on the line below its key, where a parser then met an entry of a mapping or of a list: the value is what
 * belongs to nothing, or the first item without its dash.
 */
export function valueBeforeEntries(text: string, position: number): LineSlip | undefined {
  const entry = startOfLine(text, Math.min(position, text.length))
  const value = contentAbove(text, entry)
  const key = value === undefined ? undefined : contentAbove(text, value.start)
  if (value === undefined || key === undefined || !OPENS.test(key.line) || !VALUE.test(value.line)) return undefined
  const indent = indentOf(text.slice(entry))
  if (indent > indentOf(value.line) || indent < indentOf(key.line)) return undefined
  const start = value.start + indentOf(value.line)
  const end = value.start + value.line.length
  const isList = /^ *-(?:[ \t]|$)/u.test(text.slice(entry, endOfLine(text, entry)))
  if (!isList && indent !== indentOf(value.line)) return undefined
  return isList
    ? { start, end, message: 'A `-` is missing before this item; write one, or remove the line.' }
    : {
        start,
        end,
        message: 'This line is neither a field nor an item of a list; make it a comment with `#`, or remove it.',
        stray: [{ start, end }],
      }
}

interface Content {
  readonly start: number
  readonly line: string
}

/** Lines that are blank or comments between two of content are at most this many. */
const FARTHEST = 40

/** The nearest line above an offset that is neither blank nor a comment. */
function contentAbove(text: string, from: number): Content | undefined {
  for (let start = from, count = 0; start > 0 && count < FARTHEST; count++) {
    start = startOfLine(text, start - 1)
    const line = text.slice(start, endOfLine(text, start)).trimEnd()
    if (!/^\s*(?:#|$)/u.test(line)) return { start, line }
  }
  return undefined
}

const indentOf = (line: string): number => /^ */u.exec(line)![0].length
const startOfLine = (text: string, at: number): number => (at < 1 ? 0 : text.lastIndexOf('\n', at - 1) + 1)

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end === -1 ? text.length : end
}
