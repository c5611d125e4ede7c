import type { Diagnostic } from '../../../compiler/index.js'
import { editorRange, offsetAt, type EditorPosition } from '../positions.js'
import { editorDiagnostic } from '../publish.js'
import type { Workspace } from '../workspace.js'

interface CodeActionParams {
  readonly textDocument: { readonly uri: string }
  readonly range: { readonly start: EditorPosition; readonly end: EditorPosition }
}

/** The fixes of the findings that a selection touches. */
export function quickFixes(workspace: Workspace, params: unknown): unknown {
  const { textDocument, range } = params as CodeActionParams
  const document = workspace.get(textDocument.uri)
  if (document === undefined) return []
  const [from, to] = [range.start, range.end].map((place) => offsetAt(document.starts, document.text, place))
  const found = workspace.projectOf(document.uri)?.judged.diagnostics ?? []
  return found
    .filter((each) => each.file === document.uri && each.range.start.offset <= to! && each.range.end.offset >= from!)
    .flatMap(quickFix)
}

function quickFix(diagnostic: Diagnostic): readonly object[] {
  const { fix, suggestion, code, isGuess } = diagnostic
  if (fix === undefined) return []
  const changes: { [uri: string]: object[] } = {}
  for (const { file, range, newText } of fix) (changes[file] ??= []).push({ range: editorRange(range), newText })
  const title = suggestion === undefined ? `Fix ${code}` : `Write ${suggestion}`
  const isPreferred = isGuess === undefined
  return [{ title, kind: 'quickfix', isPreferred, diagnostics: [editorDiagnostic(diagnostic)], edit: { changes } }]
}
