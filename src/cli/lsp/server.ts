import type { Readable, Writable } from 'node:stream'
import { messagesOf, sendTo, type Message, type Send } from './connection.js'
import { REQUESTS } from './requests.js'
import { publish } from './publish.js'
import { createWorkspace, type Workspace } from './workspace.js'

const METHOD_NOT_FOUND = -32601
const INTERNAL_ERROR = -32603

interface TextParams {
  readonly textDocument: { readonly uri: string; readonly text?: string }
  readonly contentChanges?: readonly { readonly text: string }[]
}

/** Serves an editor until it says goodbye. */
export async function serveEditor(input: Readable, output: Writable): Promise<void> {
  const send = sendTo(output)
  const workspace = createWorkspace(() => Date.now())
  for await (const message of messagesOf(input)) {
    if (message.method === 'exit') return void input.destroy()
    if (message.id === undefined) await notified(message, workspace, send)
    else answer(message, workspace, send)
  }
}

async function notified({ method, params }: Message, workspace: Workspace, send: Send): Promise<void> {
  const { textDocument, contentChanges } = (params ?? {}) as TextParams
  if (method === 'textDocument/didOpen') workspace.open(textDocument.uri, textDocument.text ?? '')
  else if (method === 'textDocument/didChange') workspace.open(textDocument.uri, contentChanges?.at(-1)?.text ?? '')
  else if (method === 'textDocument/didClose') {
    workspace.close(textDocument.uri)
    return send({ method: 'textDocument/publishDiagnostics', params: { uri: textDocument.uri, diagnostics: [] } })
  } else if (method !== 'textDocument/didSave') return
  for (const [uri, diagnostics] of await workspace.check(textDocument.uri)) publish(uri, diagnostics, send)
}

function answer({ id, method, params }: Message, workspace: Workspace, send: Send): void {
  const handle = method !== undefined && Object.hasOwn(REQUESTS, method) ? REQUESTS[method] : undefined
  if (handle === undefined)
    return send({ id, error: { code: METHOD_NOT_FOUND, message: `svc lsp does not know ${method}.` } })
  try {
    send({ id, result: handle(workspace, params) ?? null })
  } catch (error) {
    send({ id, error: { code: INTERNAL_ERROR, message: error instanceof Error ? error.message : String(error) } })
  }
}
