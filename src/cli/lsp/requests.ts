import {
  CodeActionRequest,
  CompletionRequest,
  DefinitionRequest,
  DocumentFormattingRequest,
  HoverRequest,
  ReferencesRequest,
  RenameRequest,
  type ProtocolRequestType,
} from 'vscode-languageserver'
import { completion } from './requests/completion.js'
import { formatting } from './requests/formatting.js'
import { definition, hover, references, rename } from './requests/names.js'
import { quickFixes } from './requests/quick-fixes.js'
import type { Workspace } from './workspace.js'

export interface RequestRow {
  readonly answer: (workspace: Workspace, params: unknown) => unknown
  /** Whether it is asked for at every keystroke, and reads the text as it is being typed. */
  readonly isForTyping?: true
}

type Entry = readonly [method: string, row: RequestRow]

/** Parameters and result are those of the protocol. */
const row = <Params, Result, Partial, Failure, Options>(
  { method }: ProtocolRequestType<Params, Result, Partial, Failure, Options>,
  answer: (workspace: Workspace, params: Params) => Result,
): Entry => [method, { answer: (workspace, params) => answer(workspace, params as Params) }]

const whileTyping = ([method, asked]: Entry): Entry => [method, { ...asked, isForTyping: true }]

/** Request -> answer. Anything else is refused as unknown. */
export const REQUESTS: { readonly [method: string]: RequestRow } = Object.fromEntries([
  row(HoverRequest.type, hover),
  whileTyping(row(CompletionRequest.type, completion)),
  row(DefinitionRequest.type, definition),
  row(ReferencesRequest.type, references),
  row(RenameRequest.type, rename),
  row(CodeActionRequest.type, quickFixes),
  row(DocumentFormattingRequest.type, formatting),
])
