import type { Range as EditorRange } from 'vscode-languageserver'
import type { Range } from '../../compiler/index.js'
import { positionAt } from '../../compiler/parse/sources.js'
import type { Span } from '../../compiler/parse/tree.js'

/** Lines and characters as editors count them: from 0, in UTF-16 units. */
export const editorRange = ({ start, end }: Range): EditorRange => ({
  start: { line: start.line - 1, character: start.column - 1 },
  end: { line: end.line - 1, character: end.column - 1 },
})

export const spanRange = (starts: readonly number[], span: Span): EditorRange =>
  editorRange({ start: positionAt(starts, span.start), end: positionAt(starts, span.end) })
