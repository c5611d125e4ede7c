import { PositionEncodingKind, TextDocumentSyncKind, type ServerCapabilities } from 'vscode-languageserver'
import type { EditorAbilities } from './abilities.js'
import { ACTION_KINDS } from './requests/actions.js'
import { TOKENS_LEGEND } from './requests/tokens.js'

/** Returns the requests that an editor may send. */
export const capabilitiesFor = ({ pulls }: EditorAbilities): ServerCapabilities => ({
  ...CAPABILITIES,
  // An editor that asks is not told as well.
  ...(pulls
    ? { diagnosticProvider: { identifier: 'svc', interFileDependencies: true, workspaceDiagnostics: false } }
    : {}),
})

const CAPABILITIES: ServerCapabilities = {
  positionEncoding: PositionEncodingKind.UTF16,
  textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
  hoverProvider: true,
  completionProvider: { triggerCharacters: [' ', '.', ':', '-', '$'], resolveProvider: true },
  definitionProvider: true,
  referencesProvider: true,
  documentHighlightProvider: true,
  documentSymbolProvider: true,
  workspaceSymbolProvider: true,
  workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
  foldingRangeProvider: true,
  documentLinkProvider: {},
  semanticTokensProvider: { legend: TOKENS_LEGEND, full: true, range: true },
  inlayHintProvider: true,
  renameProvider: { prepareProvider: true },
  codeActionProvider: { codeActionKinds: [...ACTION_KINDS], resolveProvider: true },
  documentFormattingProvider: true,
}
