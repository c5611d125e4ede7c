import type { SpanEdit } from '../finding.js'
import type { Span } from './tree.js'

/** A line that YAML reads as a part of another, and how to write it. Offsets count from the start of the text. */
export interface LineSlip extends Span {
  readonly message: string
  readonly suggestion?: string
  readonly fix?: readonly SpanEdit[]
  /** Lines here and below that are not part of the document: without them, the rest can be read. */
  readonly stray?: readonly Stray[]
  /** The line may as well be the rest of a text that is indented too little. */
  readonly isOfLayout?: true
}

export interface Stray extends Span {
  /** Text of the same length to read in its place; white space if absent. */
  readonly instead?: string
}

interface Row {
  /** Of a line without its indentation; group 1 is what is wrong. */
  readonly pattern: RegExp
  readonly message: (wrong: string, name: string) => string
  /** Replacement for group 1. */
  readonly instead?: string
  /** Part of it that is not part of the document. */
  readonly stray?: 'line' | 'mark'
}

const shown = (mark: string): string => `U+${mark.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`

/** Message for text that begins with `{{`, in any place. */
export const TEMPLATE = 'This is a template, which svc does not fill in; write what it stands for, or fill it in first.'

/** Mistakes of people who know other languages, and text pasted by accident. */
const ROWS: readonly Row[] = [
  { pattern: /^(\/\/|\/\*)/u, message: (mark) => `\`${mark}\` begins no comment in YAML; write \`#\`.`, instead: '#', stray: 'line' },
  { pattern: /^(<!--|--)(?=\s)/u, message: (mark) => `\`${mark}\` begins no comment in YAML; write \`#\`.`, instead: '#', stray: 'line' },
  { pattern: /^(`{3,}|~{3,})/u, message: () => 'This is the mark of a code block in Markdown, not YAML; remove it.', stray: 'line' },
  { pattern: /^(\{\{|\{%)/u, message: () => TEMPLATE, stray: 'line' },
  { pattern: /^(\+)(?=\s)/u, message: () => 'This line begins with a `+`, as in a diff; remove the `+`.', instead: ' ', stray: 'mark' },
  { pattern: /^(\d{1,3}[.)])(?=\s+[a-z_"'{[])/iu, message: (mark) => `\`${mark}\` begins no item of a list; write \`-\`.`, instead: '-' },
  { pattern: /^([•‣◦▪–—])\s/u, message: (mark) => `\`${mark}\` begins no item of a list; write \`-\`.`, instead: '-' },
  { pattern: /^(-)(?=[a-z_"'{[])/iu, message: () => 'A space is missing after this `-`.', instead: '- ' },
  { pattern: /^(?:- +)?(?<name>[a-z_][\w.-]*)(:)(?=[^\s/:])/iu, message: (_, name) => `A space is missing after the \`:\` of \`${name}\`.`, instead: ': ' },
  { pattern: /^(?:- +)?(?<name>[a-z_][\w.-]*):([^\S \t\r\n])/iu, message: (mark) => `${shown(mark)} follows this \`:\` and only looks like a space; write a space.`, instead: ' ' },
  { pattern: /^(?:- +)?(?<name>[a-z_][\w.-]*)\s*([：﹕︓∶])/iu, message: (mark) => `\`${mark}\` (${shown(mark)}) only looks like a \`:\`; write \`:\` and a space.`, instead: ': ' },
  { pattern: /^(?:- +)?(?<name>[a-z_][\w.-]*)(\s*(?:=>?|;|::)\s*)(?=\S)/iu, message: (mark, name) => `A \`:\` and a space are missing after \`${name}\`; \`${mark.trim()}\` means nothing in YAML.`, instead: ': ' },
] // prettier-ignore

/** Explains the line at which a parser stopped, or a line above it that the parser joined with it. */
export function lineSlip(text: string, position: number): LineSlip | undefined {
  const lines = linesAbove(text, position)
  for (const line of lines) {
    const row = ROWS.find(({ pattern }) => pattern.test(line.written))
    if (row !== undefined) return slipOf(row, line, text)
  }
  return undefined
}

/** The marks of a merge conflict have a message of their own. */
const CONFLICT = /^(?:<{7}|={7}|>{7}|\|{7})(?: |$)/u

/**
 * Lines above an offset without a key, that are no part of a value: prose that was pasted, or that goes on with a text.
 */
export function proseAbove(text: string, position: number): LineSlip | undefined {
  const [, ...above] = linesAbove(text, position)
  const prose = above.filter(({ written }) => !KEY.test(written))
  const [last, first] = [prose[0], prose.at(-1)]
  if (first === undefined || last === undefined || /^[a-z][a-z0-9_]*$/u.test(first.written)) return undefined
  if (prose.some(({ written }) => CONFLICT.test(written))) return undefined
  const before = text.slice(0, startOfLine(text, first.start)).trimEnd()
  const key = lineAt(text, startOfLine(text, before.length))
  if (/[|>][+-]?\d?$/u.test(before) || (before.endsWith(':') && first.indent > key.indent)) return undefined
  return {
    start: first.start,
    end: first.start + first.written.length,
    message: 'This line is neither a field nor an item of a list; make it a comment with `#`, or remove it.',
    stray: [{ start: startOfLine(text, first.start), end: last.start + last.written.length }],
    ...(/[\p{L}\d,;]$/u.test(before) && /^\p{Ll}/u.test(first.written) ? { isOfLayout: true } : {}),
  }
}

function slipOf(row: Row, line: Line, text: string): LineSlip {
  const { pattern, message, instead, stray } = row
  const { start, written } = line
  const match = pattern.exec(written)!
  const name = match.groups?.['name'] ?? ''
  const wrong = match.slice(1).findLast((group) => group !== undefined && group !== name) ?? ''
  const at = start + match[0].lastIndexOf(wrong)
  const span = { start: at, end: at + wrong.length }
  return {
    ...(name === '' ? span : { start, end: start + written.length }),
    message: message(wrong, name),
    ...(instead === undefined ? {} : { fix: [{ span, newText: instead }] }),
    ...(stray === undefined ? {} : { stray: straysFrom(text, line, row) }),
  }
}

/** Returns pasted text that occurs more than once: the line, and similar lines below it. */
function straysFrom(text: string, { start }: Line, { pattern, stray }: Row): readonly Stray[] {
  const strays: Stray[] = []
  for (let at = startOfLine(text, start); at < text.length && strays.length < MOST_STRAYS; at = nextLine(text, at)) {
    const line = lineAt(text, at)
    if (!pattern.test(line.written)) continue
    const end = line.start + line.written.length
    strays.push(stray === 'line' ? { start: line.start, end } : withoutMark(text, line))
  }
  return strays
}

const MOST_STRAYS = 1000
const nextLine = (text: string, at: number): number => {
  const end = text.indexOf('\n', at)
  return end === -1 ? text.length : end + 1
}

/** A mark before a line takes the place of a space, or stands before all of them. */
function withoutMark(text: string, { start, indent, written }: Line): Stray {
  const behind = /^.([ ]*)/u.exec(written)![1]!.length
  const indents = [...text.slice(Math.max(0, start - 2000), start + 2000).matchAll(/^ *(?=[^ \n\r+])/gmu)]
  const isBefore = indent === 0 && indents.some(([spaces]) => spaces.length === behind) && behind % 2 === 0
  const end = start + written.length
  return isBefore ? { start, end, instead: `${written.slice(1)} ` } : { start, end: start + 1 }
}

interface Line {
  /** Of what is written on it. */
  readonly start: number
  readonly indent: number
  readonly written: string
}

const KEY = /:(?:[ \t]|$)/u
/** A line that was read into another one is at most this many lines above it. */
const FARTHEST = 40

/** The line of an offset, those above it up to one with a key, and that one; of these the ones that are not deeper. */
function linesAbove(text: string, position: number): readonly Line[] {
  let at = startOfLine(text, Math.min(position, text.length))
  const first = lineAt(text, at)
  const lines = [first]
  for (let count = 0; at > 0 && count < FARTHEST; count++) {
    at = startOfLine(text, at - 1)
    const line = lineAt(text, at)
    if (line.written === '' || line.written.startsWith('#')) continue
    if (line.indent <= first.indent) lines.push(line)
    if (KEY.test(line.written)) break
  }
  return lines
}

function lineAt(text: string, start: number): Line {
  const end = text.indexOf('\n', start)
  const all = text.slice(start, end === -1 ? text.length : end).replace(/[ \t\r]+$/u, '')
  const written = all.replace(/^[ \t]+/u, '')
  return { start: start + all.length - written.length, indent: all.length - written.length, written }
}

const startOfLine = (text: string, at: number): number => (at < 1 ? 0 : text.lastIndexOf('\n', at - 1) + 1)
