/** Servers of the official libraries at an address, in each revision. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { createMcpHandler, Server } from '@modelcontextprotocol/server'
import { Server as OldServer } from '@modelcontextprotocol/sdk/server/index.js'
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { expect, it, onTestFinished } from 'vitest'
import { httpChannel } from '../../../src/runtime/upstream/mcp/http-channel.js'
import { listUpstreamTools } from '../../../src/runtime/upstream/mcp/session.js'

const IDENTITY = { name: 'n', version: '1' }
const ABILITIES = { capabilities: { tools: {} } }
const TOOLS = { tools: [{ name: 'echo', description: 'Echo.', inputSchema: { type: 'object' as const } }] }
const answer = (input: unknown) => ({ content: [{ type: 'text' as const, text: JSON.stringify(input) }] })
const never = new AbortController().signal

function oldServer(): OldServer {
  const server = new OldServer(IDENTITY, ABILITIES)
  server.setRequestHandler(ListToolsRequestSchema, () => TOOLS)
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => answer(params.arguments))
  return server
}

function newServer(): Server {
  const server = new Server(IDENTITY, ABILITIES)
  server.setRequestHandler('tools/list', () => TOOLS)
  server.setRequestHandler('tools/call', ({ params }) => answer(params.arguments))
  return server
}

type Listener = Parameters<typeof createServer>[1]

const byLibrary2 = (legacy: 'stateless' | 'reject'): Listener => {
  const handler = createMcpHandler(newServer, { legacy })
  return async (request, response) => {
    const body = request.method === 'POST' ? (Readable.toWeb(request) as never) : null
    const asked = new Request(`http://127.0.0.1${request.url}`, { method: request.method!, headers: request.headers as never, body, duplex: 'half' } as never) // prettier-ignore
    const { status, headers, body: answered } = await handler.fetch(asked)
    response.writeHead(status, Object.fromEntries(headers))
    if (answered === null) response.end()
    else Readable.fromWeb(answered as never).pipe(response)
  }
}

const byLibrary1 =
  (enableJsonResponse: boolean): Listener =>
  async (request, response) => {
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse, sessionIdGenerator: undefined } as never)
    await oldServer().connect(transport as never)
    await transport.handleRequest(request, response)
  }

/** The transport of 2024-11-05: one stream of events, and an address for messages. */
const byEvents = (): Listener => {
  let transport: SSEServerTransport | undefined
  return async (request, response) => {
    if (request.method === 'GET') {
      transport = new SSEServerTransport('/messages', response)
      await oldServer().connect(transport)
    } else if (request.url?.startsWith('/messages')) await transport!.handlePostMessage(request, response)
    else response.writeHead(405).end()
  }
}

it.each<[string, () => Listener]>([
  ['2026-07-28 alone', () => byLibrary2('reject')],
  ['2026-07-28 and before', () => byLibrary2('stateless')],
  ['2025-11-25, in JSON', () => byLibrary1(true)],
  ['2025-11-25, as events', () => byLibrary1(false)],
  ['2024-11-05, over a stream of events', byEvents],
])('a server of %s lists its tools, and runs one', async (_, listener) => {
  const server = createServer(listener())
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
  const channel = httpChannel({ url, credential: 'X' }, 'own', () => undefined)
  onTestFinished(() => {
    channel.close()
    server.closeAllConnections()
    server.close()
  })
  await channel.begin(never)
  expect((await listUpstreamTools(channel, never)).map(({ name }) => name)).toEqual(['echo'])
  const called = await channel.ask('tools/call', { name: 'echo', arguments: { a: null } }, never, () => undefined)
  expect(called).toMatchObject({ content: [{ type: 'text', text: '{"a":null}' }] })
})
