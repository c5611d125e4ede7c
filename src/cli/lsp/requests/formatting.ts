import { formatManifest } from '../../../compiler/fix/format.js'
import { spanRange } from '../positions.js'
import type { Workspace } from '../workspace.js'

/** The whole document in the one layout that `svc fmt` writes. */
export function formatting(workspace: Workspace, params: unknown): unknown {
  const { textDocument } = params as { readonly textDocument: { readonly uri: string } }
  const document = workspace.get(textDocument.uri)
  const formatted = document === undefined ? undefined : formatManifest(document.text)
  if (document === undefined || formatted === undefined || formatted === document.text) return []
  return [{ range: spanRange(document.starts, { start: 0, end: document.text.length }), newText: formatted }]
}
