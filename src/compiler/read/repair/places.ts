import type { Diagnostic, Place, Position } from '../../diagnostics.js'
import { lineStarts } from '../sources.js'

/** Tells of places in a repaired text where they stand in the text as it is written. Only beginnings of lines differ. */
export function placesBack(written: string, repaired: string): (position: Position) => Position {
  const starts = lineStarts(written)
  const others = lineStarts(repaired)
  return ({ line, column }) => {
    const text = lineAt(written, starts, line)
    const other = lineAt(repaired, others, line)
    const indent = text.length - text.trimStart().length
    const at = text === other ? column - 1 : Math.max(indent, column - 1 - (other.length - text.length))
    return { line, column: at + 1, offset: starts[line - 1]! + at }
  }
}

const lineAt = (text: string, starts: readonly number[], line: number): string =>
  text.slice(starts[line - 1], starts[line] ?? text.length + 1)

/** A diagnostic of repaired texts. What would mend it there does not fit the text as it is written. */
export function diagnosticBack(
  { fix, ...diagnostic }: Diagnostic,
  backs: ReadonlyMap<string, (position: Position) => Position>,
): Diagnostic {
  const place = <Placed extends Place>(placed: Placed): Placed => {
    const back = backs.get(placed.file)
    if (back === undefined) return placed
    return { ...placed, range: { start: back(placed.range.start), end: back(placed.range.end) } }
  }
  const kept = fix === undefined || backs.has(diagnostic.file) ? {} : { fix }
  return { ...place(diagnostic), related: diagnostic.related.map(place), ...kept }
}
