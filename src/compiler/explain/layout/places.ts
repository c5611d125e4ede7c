import type { Diagnostic, Place, Position } from '../../diagnostics.js'
import { lineAt, type Lines } from './lines.js'

/** Tells of places in a repaired text where they stand in the text as it is written. Only beginnings of lines differ. */
export function placesBack(written: Lines, repaired: Lines): (position: Position) => Position {
  return ({ line, column }) => {
    const text = lineAt(written, line - 1)
    const other = lineAt(repaired, line - 1)
    const indent = text.length - text.trimStart().length
    const at = text === other ? column - 1 : Math.max(indent, column - 1 - (other.length - text.length))
    return { line, column: at + 1, offset: written.starts[line - 1]! + at }
  }
}

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
