import { CodeActionKind, type CodeAction, type CodeActionParams, type TextEdit } from 'vscode-languageserver'
import type { Diagnostic } from '../../../compiler/index.js'
import { editorRange } from '../positions.js'
import { editorDiagnostic } from '../publish.js'
import type { Workspace } from '../workspace.js'

/** The fixes of the findings that a selection touches. */
export function quickFixes(workspace: Workspace, { textDocument, range }: CodeActionParams): CodeAction[] {
  const document = workspace.get(textDocument.uri)
  if (document === undefined) return []
  const [from, to] = [document.offsetAt(range.start), document.offsetAt(range.end)]
  const found = workspace.projectOf(document.uri)?.judged.diagnostics ?? []
  return found
    .filter((each) => each.file === document.uri && each.range.start.offset <= to && each.range.end.offset >= from)
    .flatMap(quickFix)
}

function quickFix(diagnostic: Diagnostic): readonly CodeAction[] {
  const { fix, suggestion, code, isGuess } = diagnostic
  if (fix === undefined) return []
  const changes: { [uri: string]: TextEdit[] } = {}
  for (const { file, range, newText } of fix) (changes[file] ??= []).push({ range: editorRange(range), newText })
  const title = suggestion === undefined ? `Fix ${code}` : `Write ${suggestion}`
  const isPreferred = isGuess === undefined
  return [
    {
      title,
      kind: CodeActionKind.QuickFix,
      isPreferred,
      diagnostics: [editorDiagnostic(diagnostic)],
      edit: { changes },
    },
  ]
}
