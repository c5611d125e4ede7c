import type { Readable, Writable } from 'node:stream'
import {
  ErrorCodes,
  LSPErrorCodes,
  ResponseError,
  type CancellationToken,
  type InitializeParams,
} from 'vscode-languageserver'
import { packageVersion } from '../shared/files/package-root.js'
import { afterPause, type Paused } from './after-pause.js'
import { editorAbilities } from './abilities.js'
import { capabilitiesFor } from './capabilities.js'
import { editorConnection } from './editor-connection.js'
import { oneAfterAnother } from './in-order.js'
import { NOTIFICATIONS } from './notifications.js'
import { findingsFor, type Findings } from './publish.js'
import { REQUESTS, type RequestRow } from './requests.js'
import { createWorkspace, type Workspace } from './workspace.js'

/** Serves an editor until it says goodbye. Gives whether it did so in the agreed order: shutdown, then exit. */
export const serveEditor = (input: Readable, output: Writable): Promise<boolean> =>
  new Promise((resolve) => {
    const inOrder = oneAfterAnother()
    // What came before the end is answered before it.
    const end = (isAgreed: boolean): void => void inOrder(() => resolve(isAgreed))
    const connection = editorConnection(input, output, end)
    const log = (error: unknown): void => connection.console.error(`svc: ${textOf(error)}`)
    const workspace = createWorkspace({ now: () => Date.now(), log })
    const findings = findingsFor(connection, workspace)
    const checks = afterPause(() => judge(workspace, findings, log))
    const serve = served(workspace, checks)
    let state: State = 'new'
    connection.onInitialize((params) => {
      if (state !== 'new') throw refusal(state, 'initialize')
      state = 'open'
      const abilities = editorAbilities(params.capabilities ?? {})
      workspace.introduce(abilities)
      workspace.showFolders(foldersOf(params), [])
      return { capabilities: capabilitiesFor(abilities), serverInfo: { name: 'svc', version: packageVersion() } }
    })
    connection.onRequest((method: string, params: unknown, token: CancellationToken) =>
      inOrder(() => {
        if (state !== 'open') throw refusal(state, method)
        return serve(method, params, token)
      }),
    )
    connection.onNotification((method: string, params: unknown) =>
      inOrder(async () => {
        // A check sees the documents in one state.
        await checks.idle()
        const pause = state === 'open' ? noticed(method, params, workspace, findings, log) : undefined
        if (pause !== undefined) checks.soon(pause)
      }),
    )
    connection.onShutdown(() =>
      inOrder(() => {
        checks.stop()
        state = 'shut'
      }),
    )
    connection.listen()
  })

/** Older editors show one folder. */
const foldersOf = ({ workspaceFolders, rootUri }: InitializeParams): readonly string[] =>
  workspaceFolders?.map(({ uri }) => uri) ?? (typeof rootUri === 'string' ? [rootUri] : [])

type State = 'new' | 'open' | 'shut'
type Log = (error: unknown) => void

function refusal(state: State, method: string): ResponseError {
  if (state === 'shut') return new ResponseError(ErrorCodes.InvalidRequest, 'The server is shut down.')
  if (state === 'new') return new ResponseError(ErrorCodes.ServerNotInitialized, 'Send `initialize` first.')
  return new ResponseError(ErrorCodes.InvalidRequest, `\`${method}\` was sent before.`)
}

/** Answers requests over what was checked last; what edits touched is checked first. */
function served(workspace: Workspace, checks: Paused) {
  return async (method: string, params: unknown, token: CancellationToken): Promise<unknown> => {
    const row = Object.hasOwn(REQUESTS, method) ? REQUESTS[method] : undefined
    if (row === undefined) throw new ResponseError(ErrorCodes.MethodNotFound, `svc lsp does not know ${method}.`)
    if (token.isCancellationRequested) throw new ResponseError(LSPErrorCodes.RequestCancelled, 'Cancelled.')
    if (needsCheck(row, params, workspace)) await checks.now()
    try {
      return (await row.answer(workspace, params)) ?? null
    } catch (error) {
      throw error instanceof ResponseError ? error : new ResponseError(ErrorCodes.InternalError, textOf(error))
    }
  }
}

/** While somebody types, the text is enough; what was never checked is checked all the same. */
function needsCheck({ isForTyping }: RequestRow, params: unknown, workspace: Workspace): boolean {
  const { textDocument } = (params ?? {}) as { readonly textDocument?: { readonly uri: string } }
  return !isForTyping || (textDocument !== undefined && workspace.projectOf(textDocument.uri) === undefined)
}

/** Checks what edits touched since the last time, and reports it to the editor. */
async function judge(workspace: Workspace, findings: Findings, log: Log): Promise<void> {
  try {
    findings.report(await workspace.check())
  } catch (error) {
    log(error)
  }
}

/** Gives how long to wait before the next check. What is wrong with a notification is logged, and the work goes on. */
function noticed(method: string, params: unknown, workspace: Workspace, findings: Findings, log: Log) {
  const row = Object.hasOwn(NOTIFICATIONS, method) ? NOTIFICATIONS[method] : undefined
  try {
    findings.forget(row?.take(workspace, params) ?? [])
  } catch (error) {
    log(`cannot take ${method}: ${textOf(error)}`)
  }
  return row?.pause
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
