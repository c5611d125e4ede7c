import type { Span } from './tree.js'

/** Most likely mistake where a parser stopped. Offsets count from the start of the text. */
export interface Slip extends Span {
  readonly message: string
  readonly suggestion?: string
}

const BEFORE_VALUE = /^\s*(?:- +)*(?:["']?[\w.$-]+["']?:[ \t]+)?/u

/** A value that had to be quoted, or that something follows, where a parser met a second one on its line. */
export function slipInValue(text: string, position: number): Slip | undefined {
  const line = startOfLine(text, position)
  const written = text.slice(line, endOfLine(text, position)).trimEnd()
  const from = line + (BEFORE_VALUE.exec(written)?.[0].length ?? 0)
  if (from === line || from > position || !/[-:]\s+$/u.test(text.slice(line, from))) return undefined
  const end = line + written.length
  const value = text.slice(from, position)
  const mark = text.charAt(position)
  if (value === '' && /[@`%]/u.test(mark))
    return { start: from, end, message: `A text cannot begin with \`${mark}\`; quote it.` }
  if (/^(?:"[^"]*"|'[^']*')\s*$/u.test(value))
    return { start: position, end, message: 'Nothing but a comment may follow a quoted text; remove this.' }
  const isText = /^[^"'[\]{}#]*$/u.test(value) && /^:(?:\s|$)/u.test(text.slice(position, position + 2))
  return isText ? { start: from, end, message: 'A text with a `:` and a space in it must be quoted.' } : undefined
}

const CONFLICT = /^(?:<{7}|={7}|>{7}|\|{7})(?: |$)/u
/** A key that lost its colon stands at most this many lines above the place where that is noticed. */
const FARTHEST = 40

/** The first line of a text that goes on until a parser met a key: a key without its colon, or what is no YAML. */
export function slipInKey(text: string, position: number): Slip | undefined {
  const lines = linesWithoutColon(text, startOfLine(text, position))
  const least = Math.min(...lines.map(({ indent }) => indent))
  const first = lines.findLast(({ indent }) => indent === least)
  if (first === undefined) return undefined
  const { start, written } = first
  const span = { start, end: start + written.length }
  if (CONFLICT.test(written)) return { ...span, message: 'This is the mark of a merge conflict; settle it.' }
  if (!/^[a-z][a-z0-9_]*$/u.test(written) || endsInKey(text, start)) return undefined
  return { ...span, message: `A \`:\` is missing after \`${written}\`.`, suggestion: `${written}:` }
}

interface Line {
  /** Of what is written on it. */
  readonly start: number
  readonly indent: number
  readonly written: string
}

/** The lines above an offset up to one with a colon, the nearest first. */
function linesWithoutColon(text: string, from: number): readonly Line[] {
  const lines: Line[] = []
  for (let line = from, count = 0; line > 0 && count < FARTHEST; count++) {
    line = startOfLine(text, line - 1)
    const all = text.slice(line, endOfLine(text, line)).trimEnd()
    const written = all.trimStart()
    const indent = all.length - written.length
    if (/:(?:\s|$)/u.test(written)) break
    if (written !== '' && !written.startsWith('#')) lines.push({ start: line + indent, indent, written })
  }
  return lines
}

/** Checks whether the line above is a key whose value may have slipped onto the next line. */
function endsInKey(text: string, at: number): boolean {
  const line = startOfLine(text, at)
  return (
    line > 0 &&
    text
      .slice(startOfLine(text, line - 1), line)
      .trimEnd()
      .endsWith(':')
  )
}

const startOfLine = (text: string, at: number): number => (at < 1 ? 0 : text.lastIndexOf('\n', at - 1) + 1)

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end === -1 ? text.length : end
}
