/** What no editor sends: bytes that are no messages, and messages that mean nothing. */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, it } from 'vitest'

interface Server {
  readonly process: ChildProcessWithoutNullStreams
  readonly send: (text: string) => boolean
  /** All that it said. */
  said(): string
}

const started: Server[] = []
function start(): Server {
  let said = ''
  const server = spawn(process.execPath, ['bin/svc.cjs', 'lsp', '--stdio'])
  server.stdout.on('data', (chunk) => (said += String(chunk)))
  started.push({ process: server, send: (text) => server.stdin.write(text), said: () => said })
  return started.at(-1)!
}
afterAll(() => {
  for (const { process } of started) process.kill()
})

const framed = (body: string): string => `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
const message = (content: object): string => framed(JSON.stringify({ jsonrpc: '2.0', ...content }))
const INITIALIZE = message({ id: 'first', method: 'initialize', params: { capabilities: {} } })
const says = ({ said }: Server, text: string) => expect.poll(said, { timeout: 30_000 }).toContain(text)
let ids = 0
/** Whether it is still there: it answers what it does not know. */
async function isAlive(server: Server): Promise<void> {
  const id = `last ${++ids}`
  server.send(message({ id, method: 'nonsense', params: {} }))
  await says(server, `"id":"${id}"`)
}

let server: Server
beforeAll(() => {
  server = start()
  server.send(INITIALIZE)
})

it.each([
  ['no JSON', framed('{"a'), 'The message is not JSON.'],
  ['a negative length', 'Content-Length: -5\r\n\r\n', 'has no Content-Length'],
  ['no length', 'Content-Type: text\r\n\r\n', 'has no Content-Length'],
  ['a line that is no header', 'foo\r\n\r\n', 'has no Content-Length'],
  ['a header without an end', 'x'.repeat(5000), 'longer than 4096 bytes'],
  ['text after a message', `${framed('{')}junk`, 'The message is not JSON.'],
  [
    'a request without an id that can be answered',
    message({ id: null, method: 'x', params: {} }),
    'neither a response',
  ],
  ['a list', framed('[]'), 'neither a response'],
  ['nothing', framed('null'), 'Received empty message'],
  ['an end of what was never begun', message({ method: '$/cancelRequest' }), 'id'],
])('outlives %s', async (_, bytes, said) => {
  await isAlive(server)
  const before = server.said().length
  server.send(bytes)
  await expect.poll(() => server.said().slice(before), { timeout: 30_000 }).toContain(said)
  await isAlive(server)
})

it('reads no message that would fill its memory, and goes on after it', async () => {
  const length = 65 * 1024 * 1024
  server.send(`Content-Length: ${length}\r\n\r\n`)
  for (let sent = 0; sent < length; sent += 1024 * 1024)
    if (!server.send('x'.repeat(1024 * 1024))) await once(server.process.stdin, 'drain')
  await says(server, `has ${length} bytes; at most 67108864 are read`)
  await isAlive(server)
})

it.each([
  ['textDocument/hover', {}],
  ['textDocument/hover', { textDocument: { uri: 5 }, position: { line: 0, character: 0 } }],
  ['textDocument/hover', { textDocument: { uri: 'file:///absent' }, position: { line: 0, character: 0 } }],
  ['textDocument/completion', { textDocument: { uri: 'x:y' }, position: { line: -1, character: 1e99 } }],
  ['textDocument/codeAction', { textDocument: { uri: 'untitled:x' } }],
  ['textDocument/rename', []],
  ['constructor', {}],
])('answers a request that makes no sense: %s %j', async (method, params) => {
  const id = `odd ${++ids}`
  server.send(message({ id, method, params }))
  await says(server, `"id":"${id}"`)
  await isAlive(server)
})

it('takes a document of 20 MB, and one of deep nesting', async () => {
  const open = (uri: string, text: string) =>
    message({ method: 'textDocument/didOpen', params: { textDocument: { uri, languageId: 'yaml', version: 1, text } } })
  server.send(open('untitled:long', 'a: b\n'.repeat(4_000_000)))
  server.send(open('untitled:deep', '['.repeat(1_000_000)))
  for (const uri of ['untitled:long', 'untitled:deep']) await says(server, `"uri":"${uri}","diagnostics":[{`)
  await isAlive(server)
})

it('answers nothing before it is initialized, takes bytes as they come, and ends when the editor does', async () => {
  const fresh = start()
  fresh.send(message({ id: 1, method: 'textDocument/hover', params: {} }))
  await says(fresh, 'Send `initialize` first.')
  for (const byte of INITIALIZE) fresh.send(byte)
  await says(fresh, '"id":"first"')
  fresh.send(INITIALIZE)
  await says(fresh, '`initialize` was sent before.')
  const ended = once(fresh.process, 'exit')
  fresh.process.stdin.end()
  expect(await ended).toEqual([1, null])
})
