import { DiagnosticSeverity, type Connection, type Diagnostic as EditorDiagnostic } from 'vscode-languageserver'
import type { Diagnostic, Severity } from '../../compiler/index.js'
import { editorRange } from './positions.js'

const SEVERITY: { readonly [severity in Severity]: DiagnosticSeverity } = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  info: DiagnosticSeverity.Information,
}

/** Reports to the editor what was found in a file. */
export function publishDiagnostics(
  { sendDiagnostics }: Connection,
  uri: string,
  diagnostics: readonly Diagnostic[],
): void {
  // An editor that is gone reads nothing more.
  sendDiagnostics({ uri, diagnostics: diagnostics.map(editorDiagnostic) }).catch(() => undefined)
}

export const editorDiagnostic = ({ range, severity, code, message, related, file }: Diagnostic): EditorDiagnostic => ({
  range: editorRange(range),
  severity: SEVERITY[severity],
  code,
  source: 'svc',
  message,
  relatedInformation: related.map((each) => ({
    location: { uri: each.file || file, range: editorRange(each.range) },
    message: each.message,
  })),
})
