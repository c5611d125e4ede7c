import type { Place, Position, Source } from '../diagnostics.js'
import type { Span } from './tree.js'

/** All files of one check, laid end to end, so that one number names a file and a place in it. */
export interface SourceMap {
  readonly files: readonly PlacedSource[]
  /** The text between two global offsets of one file. */
  text(span: Span): string
  place(span: Span): Place
  /** A span from offsets within a file. */
  span(file: PlacedSource, start: number, end: number): Span
  fileAt(offset: number): PlacedSource
  /** Offsets within a file at which its lines start. */
  lineStarts(file: PlacedSource): readonly number[]
}

export interface PlacedSource extends Source {
  /** The global offset of the file's first character. */
  readonly base: number
}

export function placeSources(sources: readonly Source[]): SourceMap {
  const files: PlacedSource[] = []
  let base = 0
  for (const { file, text } of sources) {
    files.push({ file, text, base })
    base += text.length + 1
  }
  const lines = new Map<PlacedSource, readonly number[]>()
  const linesOf = (file: PlacedSource): readonly number[] => {
    const known = lines.get(file) ?? lineStarts(file.text)
    lines.set(file, known)
    return known
  }
  const fileAt = (offset: number): PlacedSource => files[lastNotAfter(files.length, (at) => files[at]!.base, offset)]!
  return {
    files,
    fileAt,
    lineStarts: linesOf,
    text(span) {
      const file = fileAt(span.start)
      return file.text.slice(span.start - file.base, span.end - file.base)
    },
    span: (file, start, end) => ({ start: start + file.base, end: end + file.base }),
    place(span) {
      const file = fileAt(span.start)
      const starts = linesOf(file)
      const start = positionAt(starts, span.start - file.base)
      const end = positionAt(starts, Math.min(span.end - file.base, file.text.length))
      return { file: file.file, range: { start, end } }
    },
  }
}

/** Offsets at which lines start; a line ends at LF, CR LF or a lone CR. */
export function lineStarts(text: string): readonly number[] {
  const starts = [0]
  if (!text.includes('\r')) {
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
    return starts
  }
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 10 || (code === 13 && text.charCodeAt(at + 1) !== 10)) starts.push(at + 1)
  }
  return starts
}

export function positionAt(starts: readonly number[], offset: number): Position {
  const line = lastNotAfter(starts.length, (at) => starts[at]!, offset)
  return { line: line + 1, column: offset - starts[line]! + 1, offset }
}

/** The last index whose value is not after the offset, by halving. */
function lastNotAfter(length: number, valueAt: (index: number) => number, offset: number): number {
  let low = 0
  let high = length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (valueAt(middle) <= offset) low = middle
    else high = middle - 1
  }
  return low
}
