import { PassThrough } from 'node:stream'
import {
  createProtocolConnection,
  DidOpenTextDocumentNotification,
  ExitNotification,
  InitializedNotification,
  InitializeRequest,
  ShutdownRequest,
  StreamMessageReader,
  StreamMessageWriter,
  PublishDiagnosticsNotification,
  type ClientCapabilities,
  type Diagnostic,
  type InitializeResult,
} from 'vscode-languageserver-protocol/node'
import { serveEditor } from '../../src/cli/lsp/server.js'

/** An editor in this process, with the server beside it. */
export interface EditorInside {
  readonly initialized: InitializeResult
  readonly notify: (method: string, params: object) => Promise<void>
  readonly ask: <Answer>(method: string, params: object) => Promise<Answer>
  open(uri: string, text: string): Promise<void>
  /** What was last published for a file. */
  diagnostics(uri: string): readonly Diagnostic[] | undefined
  /** Whether the server ended as it was asked to. */
  close(): Promise<boolean>
}

/** `capabilities`: what the editor says that it can do; `folders`: which it shows. */
export async function editorInside(
  capabilities: ClientCapabilities = {},
  folders: readonly string[] = [],
): Promise<EditorInside> {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const ended = serveEditor(input, output)
  const connection = createProtocolConnection(new StreamMessageReader(output), new StreamMessageWriter(input))
  const published = new Map<string, readonly Diagnostic[]>()
  connection.onNotification(PublishDiagnosticsNotification.type, ({ uri, diagnostics }) => {
    published.set(uri, diagnostics)
  })
  connection.listen()
  const initialized = await connection.sendRequest(InitializeRequest.type, {
    processId: null,
    rootUri: null,
    workspaceFolders: folders.map((uri) => ({ uri, name: uri })),
    capabilities,
  })
  await connection.sendNotification(InitializedNotification.type, {})
  return {
    initialized,
    diagnostics: (uri) => published.get(uri),
    notify: (method, params) => connection.sendNotification(method, params),
    ask: (method, params) => connection.sendRequest(method, params),
    open: (uri, text) =>
      connection.sendNotification(DidOpenTextDocumentNotification.type, {
        textDocument: { uri, languageId: 'yaml', version: 1, text },
      }),
    async close() {
      await connection.sendRequest(ShutdownRequest.type)
      await connection.sendNotification(ExitNotification.type)
      const isAgreed = await ended
      connection.dispose()
      return isAgreed
    },
  }
}
