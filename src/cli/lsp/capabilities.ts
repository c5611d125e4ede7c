import { PositionEncodingKind, TextDocumentSyncKind, type ServerCapabilities } from 'vscode-languageserver'

/** What an editor may ask for. */
export const CAPABILITIES: ServerCapabilities = {
  positionEncoding: PositionEncodingKind.UTF16,
  textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
  hoverProvider: true,
  completionProvider: { triggerCharacters: [' ', '.', ':', '-'] },
  definitionProvider: true,
  referencesProvider: true,
  renameProvider: true,
  codeActionProvider: { codeActionKinds: ['quickfix'] },
  documentFormattingProvider: true,
}
