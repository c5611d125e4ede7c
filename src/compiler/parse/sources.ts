import type { Place, Position, Source } from '../diagnostics.js'
import type { Spot } from './tree.js'

/** All files of one check, laid end to end, so that one number names a file and a place in it. */
export interface Sources {
  readonly files: readonly PlacedSource[]
  /** The text between two global offsets of one file. */
  text(spot: Spot): string
  place(spot: Spot): Place
  /** A spot from offsets within a file. */
  spot(file: PlacedSource, start: number, end: number): Spot
  fileAt(offset: number): PlacedSource
  /** Offsets within a file at which its lines start. */
  lineStarts(file: PlacedSource): readonly number[]
}

export interface PlacedSource extends Source {
  /** The global offset of the file's first character. */
  readonly base: number
}

export function placeSources(sources: readonly Source[]): Sources {
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
    text(spot) {
      const file = fileAt(spot.start)
      return file.text.slice(spot.start - file.base, spot.end - file.base)
    },
    spot: (file, start, end) => ({ start: start + file.base, end: end + file.base }),
    place(spot) {
      const file = fileAt(spot.start)
      const starts = linesOf(file)
      const start = positionAt(starts, spot.start - file.base)
      const end = positionAt(starts, Math.min(spot.end - file.base, file.text.length))
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
