/** Sessions with servers at an address: how they end, what is heard in them, and what was never sent. */
import { randomUUID } from 'node:crypto'
import { createServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { createMcpHandler, inputRequired, Server } from '@modelcontextprotocol/server'
import { Server as OldServer } from '@modelcontextprotocol/sdk/server/index.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { CallToolRequestSchema, ElicitResultSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { endLast } from '../../../src/runtime/lifecycle/process.js'
import { OtherResult, Unreachable } from '../../../src/runtime/upstream/mcp/channel.js'
import type { AnswerForm } from '../../../src/runtime/upstream/mcp/asked-forms.js'
import { httpChannel } from '../../../src/runtime/upstream/mcp/http-channel.js'
import { startFixture } from '../fixture/service.js'

const IDENTITY = { name: 'n', version: '1' }
const TOOLS = { tools: [{ name: 'echo', inputSchema: { type: 'object' as const } }] }
const never = new AbortController().signal

async function listening(listener: Parameters<typeof createServer>[1]): Promise<{ server: HttpServer; url: string }> {
  const server = createServer(listener)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => (server.closeAllConnections(), void server.close()))
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp` }
}

/** A server of 2025-11-25 with sessions, whose methods are seen. */
async function withSessions(
  listChanged: boolean,
  call: (server: OldServer) => Promise<object> = async () => ({}),
  slowStreamMs = 0,
) {
  const sessions = new Map<string, StreamableHTTPServerTransport>()
  const servers: OldServer[] = []
  const methods: string[] = []
  const { server, url } = await listening(async (request, response) => {
    methods.push(request.method!)
    if (request.method === 'GET') await new Promise((done) => setTimeout(done, slowStreamMs))
    let transport = sessions.get(String(request.headers['mcp-session-id']))
    if (transport === undefined) {
      const mcp = new OldServer(IDENTITY, { capabilities: { tools: { listChanged } } })
      mcp.setRequestHandler(ListToolsRequestSchema, () => TOOLS)
      mcp.setRequestHandler(CallToolRequestSchema, async () => (await call(mcp)) as never)
      const made = new StreamableHTTPServerTransport({ sessionIdGenerator: randomUUID, onsessioninitialized: (id) => void sessions.set(id, made) }) // prettier-ignore
      await mcp.connect(made as never)
      servers.push(mcp)
      transport = made
    }
    await transport.handleRequest(request, response)
  })
  return { server, url, servers, methods }
}

function opened(url: string, answer?: AnswerForm) {
  const heard: string[] = []
  const channel = httpChannel({ url, credential: 'X' }, undefined, (method) => void heard.push(method), { answer })
  onTestFinished(() => channel.close())
  return { channel, heard }
}

describe('a session with a server at an address', () => {
  it('is ended there by DELETE', async () => {
    const { url, methods } = await withSessions(false)
    const { channel } = opened(url)
    await channel.begin(never)
    channel.close()
    await expect.poll(() => methods.at(-1)).toBe('DELETE')
    expect(methods).not.toContain('GET')
  })

  it('is ended there when the process ends, once', async () => {
    const { service } = await startFixture()
    const { url, methods } = await withSessions(false)
    const { channel } = opened(url)
    await channel.begin(never)
    await endLast(service)
    const deletes = () => methods.filter((method) => method === 'DELETE')
    expect(deletes()).toHaveLength(1)
    const { channel: closed } = opened(url)
    await closed.begin(never)
    closed.close()
    await expect.poll(deletes).toHaveLength(2)
    await endLast(service)
    expect(deletes()).toHaveLength(2)
  })

  it('hears of changed tools by its stream, where the server says that it tells of them', async () => {
    const { url, servers, methods } = await withSessions(true)
    const { channel, heard } = opened(url)
    await channel.begin(never)
    await expect.poll(() => methods).toContain('GET')
    const told = async () => {
      await servers.at(-1)!.sendToolListChanged()
      return heard[0]
    }
    await expect.poll(told).toBe('notifications/tools/list_changed')
  })

  it('refuses at once what a server asks of a person', async () => {
    const { url, methods } = await withSessions(true, async (server) => {
      const asked = { method: 'elicitation/create', params: { message: 'Who?', requestedSchema: { type: 'object', properties: {} } } } as const // prettier-ignore
      const refused = await server.request(asked as never, ElicitResultSchema).catch((error: unknown) => error)
      return { content: [{ type: 'text', text: String((refused as { code?: unknown }).code) }] }
    })
    const { channel } = opened(url)
    await channel.begin(never)
    // What a server asks before the stream of its session is open is lost.
    await expect.poll(() => methods).toContain('GET')
    expect(await channel.ask('tools/call', { name: 'echo' }, never)).toEqual({
      content: [{ type: 'text', text: '-32601' }],
    })
  })

  it('of which the server is gone has sent nothing', async () => {
    const { url, server } = await withSessions(false)
    const { channel } = opened(url)
    await channel.begin(never)
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
    // Its connections are shared, and may still be half open.
    const refused = () => fetch(url).catch(({ cause }: { cause?: { code?: unknown } }) => cause?.code)
    await expect.poll(refused).toBe('ECONNREFUSED')
    const error = await channel.ask('tools/call', { name: 'echo' }, never).catch((each: unknown) => each)
    expect(error).toBeInstanceOf(Unreachable)
    expect((error as Unreachable).sent).toBe(false)
  })
})

it('a server of 2026-07-28 is asked to tell of changed tools', async () => {
  const servers: Server[] = []
  const handler = createMcpHandler(
    () => {
      const server = new Server(IDENTITY, { capabilities: { tools: { listChanged: true } } })
      server.setRequestHandler('tools/list', () => TOOLS)
      servers.push(server)
      return server
    },
    { legacy: 'reject' },
  )
  const asked = vi.fn<(method: string) => void>()
  const { url } = await listening(async (request, response) => {
    asked(String(request.headers['mcp-method']))
    const body = Readable.toWeb(request) as never
    const {
      status,
      headers,
      body: answered,
    } = await handler.fetch(
      new Request(`http://127.0.0.1${request.url}`, { method: request.method!, headers: request.headers as never, body, duplex: 'half' } as never), // prettier-ignore
    )
    response.writeHead(status, Object.fromEntries(headers))
    if (answered === null) response.end()
    else Readable.fromWeb(answered as never).pipe(response)
  })
  const { channel, heard } = opened(url)
  await channel.begin(never)
  await expect.poll(() => asked.mock.calls.flat()).toContain('subscriptions/listen')
  handler.notify.toolsChanged()
  await expect.poll(() => heard).toEqual(['notifications/tools/list_changed'])
})

it.each(['input_required', 'task', 'other'])(
  'a result of the type %s of 2026-07-28 is no result',
  async (resultType) => {
    const about = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' }
    const results: { readonly [method: string]: object } = {
      'server/discover': { ...about, supportedVersions: ['2026-07-28'], capabilities: { tools: {} } },
      'tools/call': { resultType, inputRequests: { a: { method: 'roots/list', params: {} } }, taskId: 't' },
    }
    const { url } = await listening((request, response) => {
      let text = ''
      request.setEncoding('utf8').on('data', (part: string) => (text += part))
      request.on('end', () => {
        const { id, method } = JSON.parse(text) as { readonly id: number; readonly method: string }
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] }))
      })
    })
    const { channel } = opened(url)
    await channel.begin(never)
    const error = await channel.ask('tools/call', { name: 'echo' }, never).catch((each: unknown) => each)
    expect(error).toEqual(new OtherResult(resultType))
    expect(channel.isClosed()).toBe(false)
  },
)

const FORM = {
  message: 'Who?',
  requestedSchema: {
    type: 'object' as const,
    properties: { name: { type: 'string' as const, default: 'Ana' }, age: { type: 'integer' as const } },
  },
}

const replied = (reply: unknown) => ({ content: [{ type: 'text' as const, text: JSON.stringify(reply) }] })

/** A server of 2026-07-28 that asks in each round, as often as it is told to. */
async function askingAnew(rounds: number) {
  let round = 0
  const handler = createMcpHandler(
    () => {
      const server = new Server(IDENTITY, { capabilities: { tools: {} } })
      server.setRequestHandler('tools/list', () => TOOLS)
      server.setRequestHandler('tools/call', (_, { mcpReq }) => {
        if (mcpReq.inputResponses !== undefined && ++round >= rounds) return replied(mcpReq.inputResponses['who'])
        return inputRequired({ inputRequests: { who: inputRequired.elicit(FORM) } })
      })
      return server
    },
    { legacy: 'reject' },
  )
  const { url } = await listening(async (request, response) => {
    const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)] as [string, string])
    const init = { method: request.method!, headers, body: Readable.toWeb(request) as never, duplex: 'half' }
    const answered = await handler.fetch(new Request(url, init as never))
    response.writeHead(answered.status, Object.fromEntries(answered.headers)).end(await answered.text())
  })
  return { url }
}

const ERAS = {
  '2025-11-25': () =>
    // Its stream opens late: what it asks before is lost.
    withSessions(
      false,
      async (server) =>
        replied(await server.request({ method: 'elicitation/create', params: FORM } as never, ElicitResultSchema)),
      300,
    ),
  '2026-07-28': () => askingAnew(1),
} as const

describe.each(Object.keys(ERAS) as (keyof typeof ERAS)[])('a form of a server of %s', (era) => {
  it.each<readonly [string, AnswerForm, object]>([
    ['accepted, with its defaults', () => ({ action: 'accept', content: { age: 3 } }), { action: 'accept', content: { age: 3, name: 'Ana' } }], // prettier-ignore
    ['declined by nothing', () => undefined, { action: 'decline' }],
    ['cancelled where the code fails', () => Promise.reject(new Error('Bug.')), { action: 'cancel' }],
    ['cancelled where the answer is no plain value', () => new Date() as never, { action: 'cancel' }],
  ])('is %s', async (_, answer, reply) => {
    const { url } = await ERAS[era]()
    const seen: unknown[] = []
    const { channel } = opened(url, (asked) => {
      seen.push(asked)
      return answer(asked)
    })
    await channel.begin(never)
    const { content } = await channel.ask('tools/call', { name: 'echo' }, never)
    expect(JSON.parse((content as unknown as readonly { readonly text: string }[])[0]!.text)).toEqual(reply)
    expect(seen).toEqual([{ message: 'Who?', schema: FORM.requestedSchema }])
  })
})

it('a server that goes on asking is refused: it says that it has not acted', async () => {
  const { url } = await askingAnew(100)
  let asked = 0
  const { channel } = opened(url, () => (asked++, { action: 'accept', content: {} }))
  await channel.begin(never)
  await expect(channel.ask('tools/call', { name: 'echo' }, never)).rejects.toThrow(OtherResult)
  expect(asked).toBe(4)
})
