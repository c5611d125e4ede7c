import type { Diagnostic, Severity } from '../../compiler/index.js'
import type { SendMessage } from './connection.js'
import { editorRange } from './positions.js'

const SEVERITY: { readonly [severity in Severity]: number } = { error: 1, warning: 2, info: 3 }

/** Tells the editor what was found in a file. */
export function publishDiagnostics(uri: string, diagnostics: readonly Diagnostic[], send: SendMessage): void {
  send({ method: 'textDocument/publishDiagnostics', params: { uri, diagnostics: diagnostics.map(editorDiagnostic) } })
}

export const editorDiagnostic = ({ range, severity, code, message, related, file }: Diagnostic) => ({
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
