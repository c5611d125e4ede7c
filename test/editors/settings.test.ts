/** What docs/guides/editor.md has editors start is one command, and it serves them where a service has the package. */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import {
  createProtocolConnection,
  ExitNotification,
  InitializeRequest,
  ShutdownRequest,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver-protocol/node'
import { afterAll, beforeAll, expect, it } from 'vitest'

const GUIDE = readFileSync('docs/guides/editor.md', 'utf8')
const blockOf = (heading: string): string =>
  new RegExp(`^## ${heading}\\n[^]*?\`\`\`\\w+\\n([^]*?)\`\`\``, 'mu').exec(GUIDE)?.[1] ?? ''
const COMMAND = ['npx', '--no-install', 'svc', 'lsp', '--stdio']
const quotedIn = (text: string): readonly string[] => [...text.matchAll(/['"]([^'"]+)['"]/gu)].map(([, word]) => word!)

const folder = mkdtempSync(join(tmpdir(), 'svc-editors-'))
beforeAll(() => {
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true })
  symlinkSync(resolve('.'), join(folder, 'node_modules/svc-kit'), 'junction')
  symlinkSync('../svc-kit/bin/svc.cjs', join(folder, 'node_modules/.bin/svc'))
})
afterAll(() => rmSync(folder, { recursive: true }))

it('is the same for every editor', () => {
  const { lsp } = JSON.parse(blockOf('Zed')) as { readonly lsp: { readonly [server: string]: { readonly binary: Binary } } }
  const { path, arguments: rest } = lsp['yaml-language-server']!.binary
  expect([path, ...rest]).toEqual(COMMAND)
  expect(quotedIn(/cmd = \{(.*)\}/u.exec(blockOf('Neovim'))![1]!)).toEqual(COMMAND)
  expect(quotedIn(blockOf('Helix')).slice(0, COMMAND.length)).toEqual(COMMAND)
  expect(blockOf('JetBrains')).toContain(`Command   ${COMMAND.join(' ')}\n`)
}) // prettier-ignore

interface Binary {
  readonly path: string
  readonly arguments: readonly string[]
}

it('serves an editor, beside the package that the service has', async () => {
  const [program, ...rest] = COMMAND
  const server = spawn(program!, rest, { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'], shell: process.platform === 'win32' }) // prettier-ignore
  const exited = new Promise<number | null>((done) => server.once('exit', done))
  const connection = createProtocolConnection(new StreamMessageReader(server.stdout), new StreamMessageWriter(server.stdin)) // prettier-ignore
  connection.listen()
  const { serverInfo } = await connection.sendRequest(InitializeRequest.type, { processId: process.pid, rootUri: null, capabilities: {} }) // prettier-ignore
  expect(serverInfo?.name).toBe('svc')
  await connection.sendRequest(ShutdownRequest.type)
  await connection.sendNotification(ExitNotification.type)
  expect(await exited).toBe(0)
}, 120_000)
