import type {
  DidChangeTextDocumentParams,
  DidChangeWorkspaceFoldersParams,
  DidCloseTextDocumentParams,
  DidOpenTextDocumentParams,
} from 'vscode-languageserver'
import type { Workspace } from './workspace.js'

export interface NotificationRow {
  /** Gives the files whose findings nobody asks for any more. */
  readonly take: (workspace: Workspace, params: unknown) => readonly string[] | void
  /** Milliseconds without a further one after which files are checked. */
  readonly pause: number
}

const row = <Params>(
  pause: number,
  take: (workspace: Workspace, params: Params) => readonly string[] | void,
): NotificationRow => ({ pause, take: (workspace, params) => take(workspace, params as Params) })

/** All that has arrived is taken before a check. */
const AT_ONCE = 0
/** Somebody types: a file is checked as a whole. */
const TYPED = 150

const stale = (workspace: Workspace): void => workspace.stale()

/** Notification -> what it changes. Others are ignored. */
export const NOTIFICATIONS: { readonly [method: string]: NotificationRow } = {
  'textDocument/didOpen': row<DidOpenTextDocumentParams>(AT_ONCE, (workspace, { textDocument }) =>
    workspace.open(textDocument),
  ),
  'textDocument/didChange': row<DidChangeTextDocumentParams>(TYPED, (workspace, { textDocument, contentChanges }) =>
    workspace.change(textDocument, contentChanges),
  ),
  'textDocument/didSave': row(AT_ONCE, stale),
  'workspace/didChangeWatchedFiles': row(AT_ONCE, stale),
  'workspace/didChangeWorkspaceFolders': row<DidChangeWorkspaceFoldersParams>(AT_ONCE, (workspace, { event }) =>
    workspace.showFolders(
      event.added.map(({ uri }) => uri),
      event.removed.map(({ uri }) => uri),
    ),
  ),
  'textDocument/didClose': row<DidCloseTextDocumentParams>(AT_ONCE, (workspace, { textDocument }) => {
    const files = workspace.close(textDocument.uri)
    workspace.stale()
    return files
  }),
}
