import type { SpanEdit } from '../finding.js'
import type { LineSlip, Stray } from './line-slips.js'

/** A line that a diff adds, and one that it takes away; no manifest has either at the margin, but for items of a list. */
const ADDED = /^\+(?=[ \t]|[a-z_"'#][^\n]*:|[ \t]*\r?$)/gmu
const REMOVED = /^-(?!--)/gmu
/** An item of a list at the margin may look like a line that was taken away: this one cannot be one. */
const NO_ITEM = /^-(?:[a-z_"']|[ \t]+[a-z_]+:(?:[ \t]|\r?$)|\r?$)/u

const ADDS = 'This line begins with a `+`, as in a diff; remove the `+`.'
const CHANGES = 'The text was pasted from a diff: remove each `+` at the margin, and the lines that begin with a `-`.'

/**
 * A text that was pasted from a diff, with a `+` at its margin. The lines that it takes away go. Between braces a text
 * in quotes may go on at the margin.
 */
export function diffMarks(text: string): LineSlip | undefined {
  if (!/^\+/mu.test(text) || /^\s*[{[]/u.test(text)) return undefined
  const added = [...text.matchAll(ADDED)].map(({ index }) => index)
  const removed = [...text.matchAll(REMOVED)].map(({ index }) => index).filter((at) => NO_ITEM.test(lineOf(text, at)))
  if (added.length === 0) return undefined
  const mark = isBeforeAll(text, added) ? '' : ' '
  const edits: readonly SpanEdit[] = [
    ...added.map((at) => ({ span: { start: at, end: at + 1 }, newText: mark })),
    ...removed.map((at) => ({ span: { start: at, end: nextLine(text, at) }, newText: '' })),
  ].toSorted((one, other) => one.span.start - other.span.start)
  const first = edits[0]!.span.start
  return {
    start: first,
    end: first + 1,
    message: removed.length === 0 ? ADDS : CHANGES,
    ...(edits.length > MOST_EDITS ? {} : { fix: edits }),
    stray: edits.map(({ span, newText }) => strayOf(text, span.start, newText)),
  }
}

/** Offsets stay as they are: what goes becomes white space. */
function strayOf(text: string, start: number, newText: string): Stray {
  const line = lineOf(text, start)
  return line.startsWith('+') ? withoutMark(text, start, newText) : { start, end: start + line.length }
}

/** A mark in the place of a space becomes one; behind one before all spaces, the line moves to the margin. */
function withoutMark(text: string, start: number, mark: string): Stray {
  const line = lineOf(text, start)
  return mark === ' ' ? { start, end: start + 1 } : { start, end: start + line.length, instead: `${line.slice(1)} ` }
}

/** Lines that a diff takes away, pasted alone: at the margin, at a parser's error or right above it. */
export function removedLines(text: string, position: number): LineSlip | undefined {
  const starts: number[] = []
  let start = startOfLine(text, position)
  if (!text.startsWith('-', start) && start > 0) start = startOfLine(text, start - 1)
  for (; NO_ITEM.test(lineOf(text, start)) && starts.length < MOST; start = startOfLine(text, start - 1)) {
    starts.unshift(start)
    if (start === 0) break
  }
  const first = starts[0]
  if (first === undefined || (first > 0 && text.startsWith('-', startOfLine(text, first - 1)))) return undefined
  const mark = isBeforeAll(text, starts) ? '' : ' '
  return {
    start: first,
    end: first + lineOf(text, first).length,
    message: 'This line begins with a `-`, as in a diff; remove the line, or only the `-` if it is to stay.',
    stray: starts.map((each) => (isField(lineOf(text, each)) ? withoutMark(text, each, mark) : wholeLine(text, each))),
  }
}

/** Without its mark, a field can be read; what is none cannot. */
const isField = (line: string): boolean => /:(?:\s|$)/u.test(line)
const wholeLine = (text: string, start: number): Stray => ({ start, end: start + lineOf(text, start).length })

/** Checks whether the line above an offset is indented, so that no list begins at the margin. */
export const isBelowIndented = (text: string, start: number): boolean =>
  start > 0 && /^[ \t]+\S/u.test(lineOf(text, startOfLine(text, start - 1)))

/** More of them are no diff that a person pasted. */
const MOST_EDITS = 1000

/** Lines one below the other that are looked at. */
const MOST = 40

/** Checks whether the marks precede all spaces of their lines, and replace none. */
function isBeforeAll(text: string, added: readonly number[]): boolean {
  const depths = added.map((at) => /^ */u.exec(lineOf(text, at).slice(1))![0].length)
  const neighbours = new Set([...text.matchAll(/^ *(?=[^ \n\r+-])/gmu)].map(([spaces]) => spaces.length))
  return depths.every((depth) => neighbours.has(depth)) && !depths.every((depth) => neighbours.has(depth + 1))
}

const startOfLine = (text: string, at: number): number => (at < 1 ? 0 : text.lastIndexOf('\n', at - 1) + 1)

function lineOf(text: string, start: number): string {
  const end = text.indexOf('\n', start)
  return text.slice(start, end === -1 ? text.length : end).replace(/\r$/u, '')
}

function nextLine(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end === -1 ? text.length : end + 1
}
