import { packageVersion } from '../package-root.js'
import { completion } from './requests/completion.js'
import { formatting } from './requests/formatting.js'
import { definition, hover, references, rename } from './requests/names.js'
import { quickFixes } from './requests/quick-fixes.js'
import type { Workspace } from './workspace.js'

/** Method -> answer. Anything else is refused as unknown. */
export const REQUESTS: { readonly [method: string]: (workspace: Workspace, params: unknown) => unknown } = {
  initialize: () => ({ capabilities: CAPABILITIES, serverInfo: { name: 'svc', version: packageVersion() } }),
  shutdown: () => null,
  'textDocument/hover': hover,
  'textDocument/completion': completion,
  'textDocument/definition': definition,
  'textDocument/references': references,
  'textDocument/rename': rename,
  'textDocument/codeAction': quickFixes,
  'textDocument/formatting': formatting,
}

/** The editor sends what changed, not the whole text. */
const INCREMENTAL = 2

const CAPABILITIES = {
  positionEncoding: 'utf-16',
  textDocumentSync: { openClose: true, change: INCREMENTAL, save: true },
  hoverProvider: true,
  completionProvider: { triggerCharacters: [' ', '.', ':', '-'] },
  definitionProvider: true,
  referencesProvider: true,
  renameProvider: true,
  codeActionProvider: { codeActionKinds: ['quickfix'] },
  documentFormattingProvider: true,
}
