import type { Range, Source } from '../diagnostics.js'
import { lineStarts } from '../parse/sources.js'

/** A line longer than this is shown in part, around its marked place. */
const WIDEST = 160
const ESC = String.fromCharCode(27)

/** The lines of a range as the author wrote them, with the range marked below. */
export function codeFrame(lines: Lines, { start, end }: Range, paint: FramePaint): string {
  const width = String(Math.min(start.line + 1, lines.length)).length
  const row = (number: number | '', text: string, mark = ' '): string =>
    `${paint.dim(`${mark} ${String(number).padStart(width)} |`)}${text === '' ? '' : ` ${text}`}`
  const cut = cutAround(start.column - 1)
  const line = lines.at(start.line - 1) ?? ''
  const last = end.line === start.line ? end.column - 1 : line.length
  const length = Math.max(1, Math.min(last, cut.to) - (start.column - 1))
  const marker = ' '.repeat(start.column - 1 - cut.from) + paint.mark('^'.repeat(length))
  const before = start.line > 1 ? [row(start.line - 1, safe((lines.at(start.line - 2) ?? '').slice(0, WIDEST)))] : []
  return [...before, row(start.line, safe(line.slice(cut.from, cut.to)), '>'), row('', marker)].join('\n')
}

/** One line with its range marked below: a place that has to do with a finding. */
export function placeFrame(lines: Lines, { start, end }: Range, paint: FramePaint): string {
  const [line = ''] = lines.slice(start.line - 1, start.line)
  const cut = cutAround(start.column - 1)
  const last = Math.min(end.line === start.line ? end.column - 1 : line.length, cut.to)
  const bar = (number: string): string => paint.dim(`    ${number} |`)
  const marker = ' '.repeat(start.column - 1 - cut.from) + paint.mark('-'.repeat(Math.max(1, last - start.column + 1)))
  const number = String(start.line)
  return `${bar(number)} ${safe(line.slice(cut.from, cut.to))}\n${bar(' '.repeat(number.length))} ${marker}`
}

/** The lines of a text. */
export type Lines = Pick<readonly string[], 'length' | 'at' | 'slice'>

/** The lines of a file; none of a file that was not read. */
export type LinesOfFile = (file: string) => Lines

export function linesBySource(sources: readonly Source[]): LinesOfFile {
  const known = new Map<string, Lines>()
  return (file) => {
    const source = sources.find((each) => each.file === file)
    const lines = known.get(file) ?? (source === undefined ? [] : linesOf(source.text))
    known.set(file, lines)
    return lines
  }
}

/** A file may have a million lines, of which few are shown: each is cut out when it is asked for. */
function linesOf(text: string): Lines {
  const starts = Uint32Array.from(lineStarts(text))
  const at = (index: number): string | undefined =>
    index < starts.length ? text.slice(starts[index], starts[index + 1]).replace(/(?:\r\n|\r|\n)$/u, '') : undefined
  const slice = (from = 0, to = starts.length): string[] =>
    Array.from({ length: Math.max(0, Math.min(to, starts.length) - from) }, (_, index) => at(from + index)!)
  return { length: starts.length, at, slice }
}

/** The line on which a range starts, or the part of a long one that shows it; undefined where there is none. */
export function snippetOf(lines: Lines, { start }: Range): string | undefined {
  const { from, to } = cutAround(start.column - 1)
  return lines.at(start.line - 1)?.slice(from, to)
}

export interface FramePaint {
  readonly dim: (text: string) => string
  readonly mark: (text: string) => string
}

/** Returns the part of a line to show around a column. */
export function cutAround(column: number): { readonly from: number; readonly to: number } {
  const from = column < WIDEST - 40 ? 0 : column - 40
  return { from, to: from + WIDEST }
}

/** A manifest must not be able to write to the terminal of its reader, nor give commands (`##[…]`) to its workflow. */
export const safe = (text: string): string =>
  // The classes are looked up when the expression is made: only where there is something to show.
  text
    .replaceAll('\t', ' ')
    .replaceAll('##[', '#\u00B7[')
    .replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) => (character === ESC ? '\u241B' : '\u00B7'))
