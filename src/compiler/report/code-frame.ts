import type { Range, Source } from '../diagnostics.js'

/** A line longer than this is shown in part, around its marked place. */
const WIDEST = 160
const ESC = String.fromCharCode(27)

/** The lines of a range as the author wrote them, with the range marked below. */
export function codeFrame(lines: readonly string[], { start, end }: Range, paint: FramePaint): string {
  const width = String(Math.min(start.line + 1, lines.length)).length
  const row = (number: number | '', text: string, mark = ' '): string =>
    `${paint.dim(`${mark} ${String(number).padStart(width)} |`)}${text === '' ? '' : ` ${text}`}`
  const cut = cutAround(start.column - 1)
  const line = lines[start.line - 1] ?? ''
  const last = end.line === start.line ? end.column - 1 : line.length
  const length = Math.max(1, Math.min(last, cut.to) - (start.column - 1))
  const marker = ' '.repeat(start.column - 1 - cut.from) + paint.mark('^'.repeat(length))
  const before = start.line > 1 ? [row(start.line - 1, safe((lines[start.line - 2] ?? '').slice(0, WIDEST)))] : []
  return [...before, row(start.line, safe(line.slice(cut.from, cut.to)), '>'), row('', marker)].join('\n')
}

/** One line with its range marked below: a place that has to do with a finding. */
export function placeFrame(lines: readonly string[], { start, end }: Range, paint: FramePaint): string {
  const [line = ''] = lines.slice(start.line - 1, start.line)
  const cut = cutAround(start.column - 1)
  const last = Math.min(end.line === start.line ? end.column - 1 : line.length, cut.to)
  const bar = (number: string): string => paint.dim(`    ${number} |`)
  const marker = ' '.repeat(start.column - 1 - cut.from) + paint.mark('-'.repeat(Math.max(1, last - start.column + 1)))
  const number = String(start.line)
  return `${bar(number)} ${safe(line.slice(cut.from, cut.to))}\n${bar(' '.repeat(number.length))} ${marker}`
}

/** The lines of a file; none of a file that was not read. */
export type LinesOfFile = (file: string) => readonly string[]

export function linesBySource(sources: readonly Source[]): LinesOfFile {
  const known = new Map<string, readonly string[]>()
  return (file) => {
    const lines = known.get(file) ?? sources.find((each) => each.file === file)?.text.split(/\r\n|\r|\n/u) ?? []
    known.set(file, lines)
    return lines
  }
}

/** The line on which a range starts, or the part of a long one that shows it; undefined where there is none. */
export function snippetOf(lines: readonly string[], { start }: Range): string | undefined {
  const { from, to } = cutAround(start.column - 1)
  return lines[start.line - 1]?.slice(from, to)
}

export interface FramePaint {
  readonly dim: (text: string) => string
  readonly mark: (text: string) => string
}

/** What is shown of a line around a column. */
export function cutAround(column: number): { readonly from: number; readonly to: number } {
  const from = column < WIDEST - 40 ? 0 : column - 40
  return { from, to: from + WIDEST }
}

/** A manifest must not be able to write to the terminal of its reader. */
export const safe = (text: string): string =>
  // The classes are looked up when the expression is made: only where there is something to show.
  text
    .replaceAll('\t', ' ')
    .replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) => (character === ESC ? '\u241B' : '\u00B7'))
