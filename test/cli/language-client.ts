import { spawn } from 'node:child_process'
import {
  createProtocolConnection,
  DidChangeTextDocumentNotification,
  DidOpenTextDocumentNotification,
  ExitNotification,
  InitializedNotification,
  InitializeRequest,
  PublishDiagnosticsNotification,
  ShutdownRequest,
  StreamMessageReader,
  StreamMessageWriter,
  type ClientCapabilities,
  type Diagnostic,
  type InitializeResult,
  type ProtocolConnection,
  type Range,
} from 'vscode-languageserver-protocol/node'

/** An editor: the protocol's own client, and `svc lsp` as a process of its own. */
export interface Editor {
  readonly connection: ProtocolConnection
  readonly initialized: InitializeResult
  open(uri: string, text: string): Promise<void>
  /** Replaces a range, as an editor tells an edit. */
  edit(uri: string, range: Range, text: string): Promise<void>
  /** What was last published for a file. */
  diagnostics(uri: string): readonly Diagnostic[] | undefined
  /** How often something was published for a file. */
  publications(uri: string): number
  /** Says goodbye; gives the exit code. */
  close(): Promise<number | null>
}

/** `capabilities`: what the editor says that it can do; `folder`: which folder it shows. */
export async function startEditor(
  capabilities: ClientCapabilities = {},
  folder: string | null = null,
): Promise<Editor> {
  const server = spawn(process.execPath, ['bin/svc.cjs', 'lsp', '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] })
  const exited = new Promise<number | null>((resolve) => server.once('exit', resolve))
  const connection = createProtocolConnection(
    new StreamMessageReader(server.stdout),
    new StreamMessageWriter(server.stdin),
  )
  const published = new Map<string, readonly Diagnostic[]>()
  const counts = new Map<string, number>()
  const versions = new Map<string, number>()
  connection.onNotification(PublishDiagnosticsNotification.type, ({ uri, diagnostics }) => {
    published.set(uri, diagnostics)
    counts.set(uri, (counts.get(uri) ?? 0) + 1)
  })
  connection.listen()
  const initialized = await connection.sendRequest(InitializeRequest.type, {
    processId: process.pid,
    rootUri: folder,
    capabilities,
  })
  await connection.sendNotification(InitializedNotification.type, {})
  return {
    connection,
    initialized,
    async open(uri, text) {
      versions.set(uri, 1)
      await connection.sendNotification(DidOpenTextDocumentNotification.type, {
        textDocument: { uri, languageId: 'yaml', version: 1, text },
      })
    },
    async edit(uri, range, text) {
      const version = (versions.get(uri) ?? 1) + 1
      versions.set(uri, version)
      await connection.sendNotification(DidChangeTextDocumentNotification.type, {
        textDocument: { uri, version },
        contentChanges: [{ range, text }],
      })
    },
    diagnostics: (uri) => published.get(uri),
    publications: (uri) => counts.get(uri) ?? 0,
    async close() {
      await connection.sendRequest(ShutdownRequest.type)
      await connection.sendNotification(ExitNotification.type)
      const code = await exited
      connection.dispose()
      return code
    },
  }
}
