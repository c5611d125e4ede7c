import type { Range } from '../../compiler/index.js'
import { positionAt } from '../../compiler/parse/sources.js'
import type { Span } from '../../compiler/parse/tree.js'

/** Line and character as editors count them: from 0, in UTF-16 units. */
export interface EditorPosition {
  readonly line: number
  readonly character: number
}

/** A position beyond the end of its line is at that end; a line beyond the last is at the end of the text. */
export function offsetAt(starts: readonly number[], text: string, { line, character }: EditorPosition): number {
  const start = starts[line]
  return start === undefined ? text.length : Math.min(start + character, endOfLine(text, starts[line + 1]))
}

/** Before the characters that end the line. */
function endOfLine(text: string, next: number | undefined): number {
  if (next === undefined) return text.length
  return text.startsWith('\r\n', next - 2) ? next - 2 : next - 1
}

export const editorRange = ({ start, end }: Range) => ({
  start: { line: start.line - 1, character: start.column - 1 },
  end: { line: end.line - 1, character: end.column - 1 },
})

export const spanRange = (starts: readonly number[], span: Span) =>
  editorRange({ start: positionAt(starts, span.start), end: positionAt(starts, span.end) })
