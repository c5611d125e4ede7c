/** What the bridge makes of a server that does not mean well: an error of the protocol, nothing lost, nothing leaked, memory bounded. */
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import { expect, it, onTestFinished } from 'vitest'
import { startFixture } from '../runtime/fixture/service.js'
import { bareBridge, credentialFile } from './bridge-world.js'

type Respond = (response: ServerResponse, message: { readonly id: unknown }, request: IncomingMessage) => void

async function serving(respond: Respond) {
  let asked = 0
  const server = createServer((request, response) => {
    asked += 1
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => respond(response, JSON.parse(Buffer.concat(parts).toString()) as { id: unknown }, request))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => (server.closeAllConnections(), void server.close()))
  const { token } = await (await startFixture({ clock: Date.now })).root()
  const { port } = server.address() as { readonly port: number }
  return { ...bareBridge(`http://127.0.0.1:${port}`, credentialFile(token)), token, asked: () => asked }
}

const json = (response: ServerResponse, text: string, status = 200, headers = {}) =>
  void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text)
const events = (response: ServerResponse, ...lines: readonly string[]) =>
  void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(lines.map((line) => `data: ${line}\n\n`).join('')) // prettier-ignore

const call = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'search', arguments: {} } }

it.each<[string, Respond, string]>([
  ['a page', (response) => json(response, '<html>', 403), 'answered 403, and no message of MCP'],
  ['nothing', (response) => json(response, ''), 'answered 200, and no message of MCP'],
  ['a redirect', (response) => json(response, '', 307, { location: 'http://127.0.0.1:1/' }), 'a redirect, which is not followed'],
  ['the answer to another request', (response) => json(response, '{"jsonrpc":"2.0","id":8,"result":{}}', 200), 'before it was complete'],
  ['a list', (response) => json(response, '[{"jsonrpc":"2.0","id":7,"result":{}}]'), 'no message of MCP'],
  ['two members of one name', (response) => json(response, '{"jsonrpc":"2.0","id":7,"id":7,"result":{}}'), 'no message of MCP'],
  ['a hundred thousand levels', (response) => json(response, '['.repeat(100_000)), 'no message of MCP'],
  ['a stream that ends early', (response) => events(response, '{"jsonrpc":"2.0","method":"notifications/message"}'), 'before it was complete'],
  ['a refusal', (response) => json(response, '{"success":false,"failure":{"type":"rate_limited","detail":"Slowly.","retry":true}}', 429), 'Slowly.'],
])('answers %s with an error', async (_, respond, message) => {
  const { send, answers, child, ended, token, output } = await serving(respond)
  send(call)
  await expect.poll(() => answers().some(({ id }) => id === 7), { timeout: 20_000 }).toBe(true)
  const found = answers().filter(({ id }) => id === 7)
  expect(found).toEqual([{ jsonrpc: '2.0', id: 7, error: expect.objectContaining({ code: -32_000, message: expect.stringContaining(message) as string }) as object }])
  child.stdin.end()
  expect([await ended, output.stdout.includes(token), output.stderr]).toEqual([0, false, ''])
}) // prettier-ignore

it('passes on no request of a server, no answer twice, no second line and not its own token', async () => {
  const { send, answers, child, ended, token, output } = await serving((response, { id }, { headers }) =>
    events(
      response,
      '{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{}}',
      '{"jsonrpc":"2.0","id":99,"result":{"of":"another"}}',
      '{"jsonrpc":"2.0","method":"notifications/message","params":{"text":"a\\nb"}}',
      JSON.stringify({ jsonrpc: '2.0', id, result: { told: headers.authorization } }),
      JSON.stringify({ jsonrpc: '2.0', id, result: 'again' }),
    ),
  )
  send(call)
  await expect.poll(() => answers().length, { timeout: 10_000 }).toBe(2)
  child.stdin.end()
  await ended
  expect(answers()).toEqual([
    { jsonrpc: '2.0', method: 'notifications/message', params: { text: 'a\nb' } },
    { jsonrpc: '2.0', id: 7, result: { told: 'Bearer [token]' } },
  ])
  expect(output.stdout).not.toContain(token)
})

it.each<[string, string]>([
  ['as JSON', 'application/json'],
  ['as events', 'text/event-stream'],
])('takes no more than 16 MiB %s', async (_, type) => {
  const { send, answers, child } = await serving((response) => {
    response.writeHead(200, { 'content-type': type })
    const pour = (): void => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
      if (!response.destroyed) response.once('drain', pour)
    }
    pour()
  })
  send(call)
  await expect.poll(() => answers().length, { timeout: 20_000 }).toBe(1)
  expect(answers()[0]!.error!.message).toContain('more than 16777216 bytes')
  const [, peak] = /VmHWM:\s+(\d+)/u.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))!
  expect(Number(peak)).toBeLessThan(400_000)
})

it('calls once, with one idempotency key, however often a server breaks off', async () => {
  const keys = new Set<unknown>()
  let left = 3
  const { send, answers, asked } = await serving((response, message) => {
    const { params } = message as unknown as { params: { [name: string]: { [name: string]: unknown } } }
    keys.add(params['_meta']!['svc-kit/idempotency_key'])
    if (left-- > 0) return void response.destroy()
    return json(response, '{"jsonrpc":"2.0","id":7,"result":{}}')
  })
  send(call)
  await expect.poll(() => answers().length, { timeout: 30_000 }).toBe(1)
  expect([asked(), keys.size, answers()[0]]).toEqual([4, 1, { jsonrpc: '2.0', id: 7, result: {} }])
})

it('cancels by hanging up, answers nothing then, and takes the next line after a bad one', async () => {
  let gone = 0
  const { send, answers, child, ended } = await serving((response, { id }) => {
    if (id === 7) return void response.once('close', () => (gone += 1))
    return json(response, JSON.stringify({ jsonrpc: '2.0', id, result: {} }))
  })
  send(call)
  send({ ...call })
  for (const line of ['{', '[]', '"x"', '{"jsonrpc":"2.0","id":{},"method":"ping"}', `{"jsonrpc":"2.0","id":1,"method":"x","params":${'['.repeat(5000)}`]) send(line) // prettier-ignore
  send('x'.repeat(5 * 1024 * 1024))
  for (let n = 0; n < 1000; n++) send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: n === 500 ? 7 : -n } }) // prettier-ignore
  send({ jsonrpc: '2.0', id: 8, method: 'tools/list' })
  await expect.poll(() => answers().some(({ id }) => id === 8), { timeout: 20_000 }).toBe(true)
  await expect.poll(() => gone, { timeout: 5000 }).toBe(1)
  child.stdin.end()
  expect(await ended).toBe(0)
  expect(answers().filter(({ id }) => id === 7)).toEqual([])
  expect(answers().filter(({ error }) => error !== undefined)).toHaveLength(7)
})
