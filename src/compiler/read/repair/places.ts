import type { Diagnostic, Place, Position } from '../../diagnostics.js'

/** Tells of places in a repaired text where they stand in the text as it is written. Only beginnings of lines differ. */
export function placesBack(written: string, repaired: string): (position: Position) => Position {
  const lines = written.split('\n')
  const others = repaired.split('\n')
  const starts: number[] = []
  let next = 0
  for (const line of lines) {
    starts.push(next)
    next += line.length + 1
  }
  return ({ line, column }) => {
    const text = lines[line - 1]!
    const indent = text.length - text.trimStart().length
    const column0 = column - 1 - (others[line - 1]!.length - text.length)
    const at = text === others[line - 1] ? column - 1 : Math.max(indent, column0)
    return { line, column: at + 1, offset: starts[line - 1]! + at }
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
