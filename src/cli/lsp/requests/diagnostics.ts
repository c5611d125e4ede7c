import { createHash } from 'node:crypto'
import {
  DocumentDiagnosticReportKind,
  type DocumentDiagnosticParams,
  type DocumentDiagnosticReport,
} from 'vscode-languageserver'
import { editorDiagnostic } from '../publish.js'
import type { Workspace } from '../workspace.js'

/** Returns the findings of a document to an editor that pulls them, or that they are unchanged. */
export function pulledDiagnostics(
  workspace: Workspace,
  { textDocument, previousResultId }: DocumentDiagnosticParams,
): DocumentDiagnosticReport {
  const found = workspace.projectOf(textDocument.uri)?.judged.diagnostics ?? []
  const items = found.filter(({ file }) => file === textDocument.uri).map(editorDiagnostic)
  const resultId = createHash('sha256').update(JSON.stringify(items)).digest('hex')
  if (resultId === previousResultId) return { kind: DocumentDiagnosticReportKind.Unchanged, resultId }
  return { kind: DocumentDiagnosticReportKind.Full, resultId, items }
}
