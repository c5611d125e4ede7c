/** N20: what a server at an address sends unasked, over the stream of its session, is bounded as that of a child is. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it, vi } from 'vitest'
import { httpChannel } from '../../src/runtime/upstream/mcp/http-channel.js'

const open: (() => void)[] = []
afterEach(() => open.splice(0).forEach((close) => close()))

const NOTICE = 'data: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n\n'
const FORGED = 'data: {"jsonrpc":"2.0","id":1000000,"result":{}}\n\n'

/** A server that sends `unasked` over the stream of its session, and `before` ahead of each answer. */
async function begun({ unasked = '', before = '' }) {
  const signal = AbortSignal.timeout(100_000)
  const server = createServer((request, response) => {
    if (request.method !== 'POST') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
      return void response.write(unasked)
    }
    let text = ''
    request
      .on('data', (part) => (text += String(part)))
      .on('end', () => {
        const { id, method, params } = JSON.parse(text) as { id?: number; method: string; params: { protocolVersion: string } } // prettier-ignore
        if (id === undefined) return void response.writeHead(202).end()
        const result = method === 'initialize' ? { protocolVersion: params.protocolVersion, capabilities: { tools: { listChanged: true } }, serverInfo: { name: 'x', version: '1' } } : { tools: [] } // prettier-ignore
        const answer = method === 'initialize' || method === 'tools/list' ? { result } : { error: { code: -32601, message: 'no' } } // prettier-ignore
        const events = `${method === 'tools/list' ? before : ''}data: ${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n\n`
        response.writeHead(200, { 'content-type': 'text/event-stream', 'mcp-session-id': 's' }).end(events)
      })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  let notices = 0
  const { port } = server.address() as AddressInfo
  const channel = httpChannel({ url: `http://127.0.0.1:${port}/mcp` } as never, undefined, () => notices++)
  open.push(() => (channel.close(), server.closeAllConnections(), server.close()))
  await channel.begin(signal)
  const list = () => channel.ask('tools/list', {}, signal)
  return { channel, list, notices: () => notices }
}

it.each([
  ['notices', NOTICE.repeat(3_000)],
  ['answers to nothing', FORGED.repeat(3_000)],
  ['one event after another without data', '\n'.repeat(200_000)],
  ['comments', `:${'x'.repeat(1_000_000)}\n\n`.repeat(9)],
])('N20 a server that sends %s over its stream is left', async (_, unasked) => {
  const { channel, notices } = await begun({ unasked })
  // How long that takes is the machine's: what is counted is what was taken.
  await vi.waitUntil(() => channel.isClosed(), { timeout: 100_000 })
  expect(notices()).toBeLessThanOrEqual(2_000)
})

it('N20 a server that sends 1,500 notices with each of its answers is kept', async () => {
  const { channel, list } = await begun({ before: NOTICE.repeat(1_500) })
  await list()
  await list()
  expect(channel.isClosed()).toBe(false)
})

it('N20 a server that sends 2,001 notices before its answer is left', async () => {
  const { channel, list } = await begun({ before: NOTICE.repeat(2_001) })
  await expect(list()).rejects.toMatchObject({ name: 'Unreachable', sent: true })
  expect(channel.isClosed()).toBe(true)
})
