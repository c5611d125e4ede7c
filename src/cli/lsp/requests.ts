import * as protocol from 'vscode-languageserver'
import { codeActions, resolveAction } from './requests/actions.js'
import { completion, resolveCompletion } from './requests/completion.js'
import { pulledDiagnostics } from './requests/diagnostics.js'
import { foldingRanges } from './requests/folding.js'
import { formatting } from './requests/formatting.js'
import { inlayHints } from './requests/hints.js'
import { documentLinks } from './requests/links.js'
import { definition, highlights, hover, references } from './requests/names.js'
import { prepareRename, rename } from './requests/rename.js'
import { documentSymbols, workspaceSymbols } from './requests/symbols.js'
import { semanticTokens, semanticTokensInRange } from './requests/tokens.js'
import type { Workspace } from './workspace.js'

export interface RequestRow {
  readonly answer: (workspace: Workspace, params: unknown) => unknown
  /** True if the request comes at every keystroke and reads unfinished text. */
  readonly isForTyping?: true
}

type Entry = readonly [method: string, row: RequestRow]

/** Parameters and result are those of the protocol. */
const row = <Params, Result, Partial, Failure, Options>(
  { method }: protocol.ProtocolRequestType<Params, Result, Partial, Failure, Options>,
  answer: (workspace: Workspace, params: Params) => Result | Promise<Result>,
): Entry => [method, { answer: (workspace, params) => answer(workspace, params as Params) }]

const whileTyping = ([method, asked]: Entry): Entry => [method, { ...asked, isForTyping: true }]

/** Request -> answer. Anything else is refused as unknown. */
export const REQUESTS: { readonly [method: string]: RequestRow } = Object.fromEntries([
  whileTyping(row(protocol.CompletionRequest.type, completion)),
  whileTyping(row(protocol.CompletionResolveRequest.type, resolveCompletion)),
  row(protocol.HoverRequest.type, hover),
  row(protocol.DefinitionRequest.type, definition),
  row(protocol.ReferencesRequest.type, references),
  row(protocol.DocumentHighlightRequest.type, highlights),
  row(protocol.PrepareRenameRequest.type, prepareRename),
  row(protocol.RenameRequest.type, rename),
  row(protocol.DocumentSymbolRequest.type, documentSymbols),
  row(protocol.WorkspaceSymbolRequest.type, workspaceSymbols),
  row(protocol.FoldingRangeRequest.type, foldingRanges),
  row(protocol.DocumentLinkRequest.type, documentLinks),
  row(protocol.SemanticTokensRequest.type, semanticTokens),
  row(protocol.SemanticTokensRangeRequest.type, semanticTokensInRange),
  row(protocol.InlayHintRequest.type, inlayHints),
  row(protocol.CodeActionRequest.type, codeActions),
  row(protocol.CodeActionResolveRequest.type, resolveAction),
  row(protocol.DocumentFormattingRequest.type, formatting),
  row(protocol.DocumentDiagnosticRequest.type, pulledDiagnostics),
])
