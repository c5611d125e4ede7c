import type { DocumentFormattingParams, TextEdit } from 'vscode-languageserver'
import { formatManifest } from '../../../compiler/fix/format.js'
import type { Workspace } from '../workspace.js'

/** The whole document in the one layout that `svc fmt` writes. */
export function formatting(workspace: Workspace, { textDocument }: DocumentFormattingParams): TextEdit[] {
  const document = workspace.get(textDocument.uri)
  const text = document?.getText()
  const formatted = text === undefined ? undefined : formatManifest(text)
  if (document === undefined || text === undefined || formatted === undefined || formatted === text) return []
  return [{ range: { start: document.positionAt(0), end: document.positionAt(text.length) }, newText: formatted }]
}
