import type { Range } from '../../compiler/index.js'
import { positionAt } from '../../compiler/read/sources.js'
import type { Spot } from '../../compiler/read/tree.js'

/** Line and character as editors count them: from 0, in UTF-16 units. */
export interface EditorPosition {
  readonly line: number
  readonly character: number
}

export const offsetAt = (starts: readonly number[], { line, character }: EditorPosition): number =>
  (starts[line] ?? 0) + character

export const editorRange = ({ start, end }: Range) => ({
  start: { line: start.line - 1, character: start.column - 1 },
  end: { line: end.line - 1, character: end.column - 1 },
})

export const spotRange = (starts: readonly number[], spot: Spot) =>
  editorRange({ start: positionAt(starts, spot.start), end: positionAt(starts, spot.end) })
