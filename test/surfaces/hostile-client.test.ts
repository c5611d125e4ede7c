/** Clients that do not mean well: everything that they send is refused, in words of the protocol, and nothing is lost or leaked. */
import { PassThrough } from 'node:stream'
import { expect, it, describe } from 'vitest'
import { serve } from '../../src/runtime/node.js'
import { mcp } from '../../src/runtime/surfaces/mcp/index.js'
import { mcpOverStdio } from '../../src/runtime/surfaces/mcp/stdio.js'
import { startWorld, type World } from './mcp-world.js'

const MODERN = '2026-07-28'

interface Answer {
  readonly status: number
  readonly text: string
  readonly message: {
    readonly result?: { readonly [name: string]: never }
    readonly error?: { readonly code: number; readonly message: string }
    readonly failure?: { readonly type: string }
  }
}

async function send(world: World, body: unknown, headers: object = {}, token = world.token): Promise<Answer> {
  const response = await fetch(`${world.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  const text = await response.text()
  const json = text.startsWith('event:') || text.includes('\ndata:') ? /^data: ?(.*)$/mu.exec(text)![1]! : text
  return { status: response.status, text, message: (json === '' ? {} : JSON.parse(json)) as Answer['message'] }
}

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': { elicitation: { url: {}, form: {} } },
}

const call = (name: string, args: object, more: object = {}, meta: object = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: args, _meta: { ...ENVELOPE, ...meta }, ...more },
})

const headersFor = (name: string) => ({ 'mcp-protocol-version': MODERN, 'mcp-method': 'tools/call', 'mcp-name': name })

const modernCall = (world: World, name: string, args: object, more: object = {}, token = world.token) =>
  send(world, call(name, args, more), headersFor(name), token)

const page = { approvalUrl: (id: string) => `https://approve.example/${id}` }

/** The state that a call leaves with its client while it waits for an approval. */
async function stateOf(world: World): Promise<string> {
  const { message } = await modernCall(world, 'trip__book', { hotel: 'Ritz' })
  const { requestState } = message.result as unknown as { requestState: string }
  expect(typeof requestState).toBe('string')
  return requestState
}

/** Somebody else approves what waits. */
async function approvePending(world: World): Promise<void> {
  const { body } = await world.fixture.call('GET', '/svc/approval_requests?status=pending', { bearer: 'bob-key' })
  const [request] = body['approval_requests'] as unknown as readonly { readonly approval_request_id: string }[]
  await world.approve(request!.approval_request_id)
}

const resumed = (state: string) => ({
  requestState: state,
  inputResponses: { approval: { action: 'accept' } },
})

describe('N18: a state of a call that waits', () => {
  const refused = async (world: World, state: string, name = 'trip__book', token = world.token) => {
    const { message } = await modernCall(world, name, { hotel: 'Ritz', city: 'Faro' }, resumed(state), token)
    expect(message.error).toMatchObject({ code: -32_602, message: 'Invalid or expired requestState' })
    expect(world.effects).toEqual([])
  }

  it('is refused with any one character changed, and when it is made up', async () => {
    const world = await startWorld({}, page)
    const state = await stateOf(world)
    for (let at = 0; at < state.length; at += Math.ceil(state.length / 24)) {
      const other = state[at] === 'A' ? 'B' : 'A'
      await refused(world, `${state.slice(0, at)}${other}${state.slice(at + 1)}`)
    }
    const made = Buffer.from(JSON.stringify({ tool: 'trip__book', caller: 'x', request: 'apr_1', round: 1, key: 'k' }))
    for (const forged of ['', '.', '{}', made.toString('base64url'), `${state}.${state}`, 'A'.repeat(100_000)])
      await refused(world, forged)
  })

  it('is refused for another tool, another subject and another root principal', async () => {
    const world = await startWorld({}, page)
    const state = await stateOf(world)
    await refused(world, state, 'search')
    await refused(world, state, 'nothing')
    const other = await world.fixture.root({ subject: 'agent:other' })
    await refused(world, state, 'trip__book', other.token)
    const eve = await world.fixture.issued('eve-key', { scope: ['travel.search'], subject: 'agent:planner' })
    await refused(world, state, 'trip__book', eve.token)
  })

  it('does nothing for other arguments: the grant is for the call that was approved', async () => {
    const world = await startWorld({}, page)
    const state = await stateOf(world)
    await approvePending(world)
    const { message } = await modernCall(world, 'trip__book', { hotel: 'Savoy' }, resumed(state))
    expect(message.result).toMatchObject({
      isError: true,
      structuredContent: { failure: { type: 'approval_grant_invalid', reason: 'parameters_mismatch' } },
    })
    expect(world.effects).toEqual([])
  })

  it('is taken by another replica', async () => {
    const world = await startWorld({}, page)
    const state = await stateOf(world)
    const replica = await serve(world.fixture.service, { port: 0, surfaces: [mcp(page)] })
    await approvePending(world)
    const { message } = await modernCall(
      { ...world, url: replica.url },
      'trip__book',
      { hotel: 'Ritz' },
      resumed(state),
    )
    expect(message.result).toMatchObject({ structuredContent: { booked: 'Ritz' } })
    await replica.close()
  })
})

describe('N18: a token', () => {
  it('counts in the header alone, and is in no answer, state or log', async () => {
    const world = await startWorld({}, page)
    const { token: other } = await world.fixture.issued('ana-key', { scope: ['never.given'] })
    const answers = [
      await send(world, call('secret', { authorization: `Bearer ${other}`, token: other })),
      await send(world, { ...call('secret', {}), authorization: `Bearer ${other}` }),
      await send(
        world,
        call('secret', {}, { _meta: { ...ENVELOPE, authorization: other, token: other, bearer: other } }),
        headersFor('secret'),
      ),
      await send(world, call('search', { city: 'Faro', _approval: other })),
      await send(world, call('trip__book', { hotel: 'Ritz', _approval: other })),
      await modernCall(world, 'trip__book', { hotel: 'Ritz' }),
    ]
    for (const { message } of answers.slice(0, 3))
      expect(JSON.stringify(message)).toMatch(/scope_insufficient|invalid_parameters|-32/u)
    expect(answers.map(({ text }) => text.includes(world.token))).toEqual(answers.map(() => false))
    expect(answers.filter(({ text }) => text.includes(other))).toEqual([])
    const logged = world.fixture.logged.join('\n')
    expect([logged.includes(world.token), logged.includes(other)]).toEqual([false, false])
    const query = await fetch(`${world.url}/mcp?access_token=${world.token}`, { method: 'POST', body: '{}' })
    expect(query.status).toBe(401)
  })

  it('is asked for by no tool, no schema and no form', async () => {
    const world = await startWorld()
    const { text } = await send(
      world,
      { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: ENVELOPE } },
      { 'mcp-protocol-version': MODERN, 'mcp-method': 'tools/list' },
    )
    expect(text).not.toMatch(/bearer|api.?key|"token"|password|secret"/iu)
  })
})

describe('what is sent in the wrong form', () => {
  it.each<[string, unknown, object]>([
    [
      'a revision that nobody knows',
      { ...call('search', { city: 'x' }) },
      { ...headersFor('search'), 'mcp-protocol-version': '1999-01-01' },
    ],
    [
      'another method in the header',
      call('search', { city: 'x' }),
      { ...headersFor('search'), 'mcp-method': 'tools/list' },
    ],
    ['another tool in the header', call('search', { city: 'x' }), headersFor('trip__book')],
    [
      'no tool in the header',
      call('search', { city: 'x' }),
      { 'mcp-protocol-version': MODERN, 'mcp-method': 'tools/call' },
    ],
    ['a broken name in the header', call('search', { city: 'x' }), headersFor('=?base64?%%%?=')],
    ['a modern message under a legacy header', call('search', { city: 'x' }), { 'mcp-protocol-version': '2025-06-18' }],
    ['two ids', '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', {}],
    ['no method', { jsonrpc: '2.0', id: 1 }, {}],
    ['an id that is an object', { jsonrpc: '2.0', id: {}, method: 'ping' }, {}],
    ['a number for a method', { jsonrpc: '2.0', id: 1, method: 1 }, {}],
    ['JSON-RPC 1', { id: 1, method: 'ping', params: [] }, {}],
    ['a prototype', '{"jsonrpc":"2.0","id":1,"method":"__proto__","params":{"__proto__":{"x":1}}}', {}],
    ['arguments that are a list', call('search', [] as object), headersFor('search')],
    [
      'arguments of a thousand levels',
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"city":${'['.repeat(1000)}${']'.repeat(1000)}}}}`,
      {},
    ],
    ['half a character', '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"\\ud800"}}', {}],
    ['a number that would change', '{"jsonrpc":"2.0","id":12345678901234567890,"method":"ping"}', {}],
  ])('is refused: %s', async (_, body, headers) => {
    const world = await startWorld()
    const { status, message } = await send(world, body, headers)
    const isRefused =
      message.error !== undefined || message.failure !== undefined || message.result?.['isError'] === true
    expect([status < 500, isRefused]).toEqual([true, true])
    expect(JSON.stringify(message)).not.toMatch(/at .*\.ts|node_modules|Internal error/u)
    expect(world.effects).toEqual([])
    expect((await send(world, { jsonrpc: '2.0', id: 1, method: 'ping' })).status).toBe(200)
  })

  it('is refused when it is large: names, ids, methods, arguments of a MiB', async () => {
    const world = await startWorld()
    const large = 'x'.repeat(1024 * 1024 - 400)
    const before = process.memoryUsage().rss
    for (let round = 0; round < 5; round++) {
      for (const message of [
        { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: large, arguments: {} } },
        { jsonrpc: '2.0', id: large, method: 'ping' },
        { jsonrpc: '2.0', id: 1, method: large },
        {
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'search', arguments: { city: 'x', [large]: 1 } },
        },
        { jsonrpc: '2.0', id: 1, method: 'notifications/cancelled', params: { requestId: large } },
      ]) {
        const { status } = await send(world, message)
        expect(status).toBeLessThan(500)
      }
    }
    const entries = await world.fixture.trail(world.token)
    expect(Buffer.byteLength(JSON.stringify(entries))).toBeLessThan(200_000)
    expect(process.memoryUsage().rss - before).toBeLessThan(400 * 1024 * 1024)
    const { status } = await send(world, { jsonrpc: '2.0', id: 1, method: 'ping', params: { x: large.repeat(2) } })
    expect(status).toBe(413)
  })

  // Where time is short, a tenth of them.
  const rounds = process.env['SURFACES'] === 'one' ? 10 : 100
  it('is limited when it is much: 10,000 lists, and cancellations of what was never asked', async () => {
    const world = await startWorld({ limits: { mcpMessagesPerMinute: 600 } })
    const statuses = new Map<number, number>()
    const before = process.memoryUsage().rss
    for (let round = 0; round < rounds; round++) {
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, id) =>
          send(
            world,
            id % 10 === 0
              ? { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } }
              : { jsonrpc: '2.0', id, method: 'tools/list' },
          ),
        ),
      )
      for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
    expect([...statuses.keys()].sort()).toEqual([200, 202, 429])
    expect(statuses.get(429)).toBeGreaterThan(rounds === 100 ? 5000 : 250)
    expect(process.memoryUsage().rss - before).toBeLessThan(400 * 1024 * 1024)
    const { token } = await world.fixture.issued('eve-key', { scope: ['travel.search'] })
    expect((await send(world, { jsonrpc: '2.0', id: 1, method: 'tools/list' }, {}, token)).status).toBe(200)
  })
})

it('over stdio, is refused line by line, and the next line is answered', async () => {
  const world = await startWorld()
  const [input, output] = [new PassThrough(), new PassThrough()]
  let text = ''
  output.on('data', (part: Buffer) => (text += part.toString()))
  const over = mcpOverStdio(world.fixture.service, {}, { token: world.token }, input, output)
  const initialize = {
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
  }
  input.write(`${JSON.stringify(initialize)}\n{"jsonrpc":"2.0","method":"notifications/initialized"}\n`)
  await expect.poll(() => text).toContain('"id":0')
  const bad = [
    '{',
    '[]',
    '[1,2]',
    'null',
    '"x"',
    '{"jsonrpc":"2.0","id":1}',
    `{"jsonrpc":"2.0","id":${'['.repeat(5000)}${']'.repeat(5000)},"method":"ping"}`,
  ]
  for (const line of bad) input.write(`${line}\n`)
  for (let id = 0; id < 500; id++)
    input.write(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id}}}\n`)
  const same = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'search', arguments: { city: 'Faro' } } }
  for (let n = 0; n < 3; n++) input.write(`${JSON.stringify(same)}\n`)
  input.write('{"jsonrpc":"2.0","id":8,"method":"tools/list"}\n')
  await expect.poll(() => text, { timeout: 5000 }).toContain('"id":8')
  await expect.poll(() => text.split('Hotels in Faro').length > 1, { timeout: 5000 }).toBe(true)
  input.end()
  await over
  expect(text).not.toContain(world.token)
})
