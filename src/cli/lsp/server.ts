import type { Readable, Writable } from 'node:stream'
import { afterPause } from './after-pause.js'
import { BROKEN, IDLE, messagesOf, sendTo, type Message, type SendMessage } from './connection.js'
import { publishDiagnostics } from './publish.js'
import { REQUESTS } from './requests.js'
import { createWorkspace, type TextChange, type Workspace } from './workspace.js'

const PARSE_ERROR = -32700
const INVALID_REQUEST = -32600
const METHOD_NOT_FOUND = -32601
const INTERNAL_ERROR = -32603
const NOT_INITIALIZED = -32002

/** Serves an editor until it says goodbye. Gives whether it did so in the agreed order: shutdown, then exit. */
export async function serveEditor(input: Readable, output: Writable): Promise<boolean> {
  const send = sendTo(output)
  const log: Log = (error) =>
    send({ method: 'window/logMessage', params: { type: 1, message: `svc: ${textOf(error)}` } })
  const workspace = createWorkspace({ now: () => Date.now(), log })
  const checks = afterPause(() => judge(workspace, send, log), PAUSE)
  let state: 'new' | 'open' | 'shut' = 'new'
  let next: 'now' | 'soon' | undefined
  for await (const message of messagesOf(input)) {
    // A check sees the documents in one state.
    await checks.idle()
    if (message === BROKEN) send({ id: null, error: { code: PARSE_ERROR, message: 'The message is not JSON.' } })
    else if (message === IDLE) {
      if (next === 'now') await checks.now()
      else if (next === 'soon') checks.soon()
      next = undefined
    } else if (message.method === 'exit') {
      checks.stop()
      return state === 'shut'
    } else if (message.id === undefined) {
      notified(message, workspace, send, log)
      next = message.method === TYPED ? (next ?? 'soon') : 'now'
    } else {
      if (next === 'now' || !NEEDS_NO_CHECK.has(message.method)) await checks.now()
      const refusal = refusalIn(state, message)
      if (refusal !== undefined) send({ id: message.id, error: refusal })
      else {
        answer(message, workspace, send)
        state = message.method === 'initialize' ? 'open' : message.method === 'shutdown' ? 'shut' : state
      }
    }
  }
  checks.stop()
  return false
}

/** Milliseconds without a keystroke after which a file is checked, as a whole. */
const PAUSE = 150
const TYPED = 'textDocument/didChange'
/** Completion reads the line that is being typed, and what other files declare. */
const NEEDS_NO_CHECK: ReadonlySet<string | undefined> = new Set(['textDocument/completion'])

function refusalIn(state: 'new' | 'open' | 'shut', { method }: Message): object | undefined {
  if (state === 'shut') return { code: INVALID_REQUEST, message: 'The server is shut down.' }
  if (state === 'new' && method !== 'initialize') return { code: NOT_INITIALIZED, message: 'Send `initialize` first.' }
  return undefined
}

/** Checks what edits touched since the last time, and tells the editor. */
async function judge(workspace: Workspace, send: SendMessage, log: Log): Promise<void> {
  try {
    for (const [uri, diagnostics] of await workspace.check()) publishDiagnostics(uri, diagnostics, send)
  } catch (error) {
    log(error)
  }
}

type Log = (error: unknown) => void

interface TextParams {
  readonly textDocument: { readonly uri: string; readonly text?: string }
  readonly contentChanges?: readonly TextChange[]
}

/** A notification has no answer: what is wrong with it goes to the editor's log, and the work goes on. */
function notified(message: Message, workspace: Workspace, send: SendMessage, log: Log): void {
  try {
    take(message, workspace, send)
  } catch (error) {
    log(`cannot take ${message.method}: ${textOf(error)}`)
  }
}

function take({ method, params }: Message, workspace: Workspace, send: SendMessage): void {
  const { textDocument, contentChanges = [] } = (params ?? {}) as TextParams
  switch (method) {
    case 'textDocument/didOpen':
      return workspace.open(textDocument.uri, textDocument.text ?? '')
    case 'textDocument/didChange':
      return workspace.change(textDocument.uri, contentChanges)
    case 'textDocument/didSave':
    case 'workspace/didChangeWatchedFiles':
      return workspace.stale()
    case 'textDocument/didClose':
      for (const uri of workspace.close(textDocument.uri)) publishDiagnostics(uri, [], send)
      return workspace.stale()
    default:
      return undefined
  }
}

function answer({ id, method, params }: Message, workspace: Workspace, send: SendMessage): void {
  const handle = method !== undefined && Object.hasOwn(REQUESTS, method) ? REQUESTS[method] : undefined
  if (handle === undefined)
    return send({ id, error: { code: METHOD_NOT_FOUND, message: `svc lsp does not know ${method}.` } })
  try {
    send({ id, result: handle(workspace, params) ?? null })
  } catch (error) {
    send({ id, error: { code: INTERNAL_ERROR, message: textOf(error) } })
  }
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
