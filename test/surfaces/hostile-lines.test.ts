/** Clients over stdio that do not mean well: refused in words of the protocol, answered all the same, nothing lost or leaked. */
import { describe, expect, it, onTestFinished } from 'vitest'
import { lineTransport } from './line-transport.js'
import { startWorld, type World } from './mcp-world.js'

const MODERN = '2026-07-28'
const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': { elicitation: { url: {}, form: {} } },
}
const INITIALIZE = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } }

interface Message {
  readonly id?: unknown
  readonly result?: { readonly isError?: boolean; readonly tools?: readonly unknown[]; readonly structuredContent?: unknown }
  readonly error?: { readonly code: number; readonly message: string }
} // prettier-ignore

type Era = 'legacy' | 'modern'

/** A connection of one era that is open: whatever is sent and whatever comes back is seen. */
async function connected(era: Era, world: World) {
  const lines = lineTransport(world.fixture.service, world.options, { token: world.token })
  const came: Message[] = []
  Object.assign(lines, { onmessage: (message: Message) => void came.push(message) })
  await lines.start()
  onTestFinished(() => lines.close())
  let last = 1000
  const ask = async (method: string, params: object = {}, id: unknown = ++last): Promise<Message> => {
    const before = came.length
    await lines.send({ jsonrpc: '2.0', id, method, params: era === 'modern' ? { _meta: ENVELOPE, ...params } : params })
    const answer = () => came.slice(before).find((message) => message.id === id || message.id === null)
    await expect.poll(answer, { timeout: 30_000, interval: 5 }).toBeDefined()
    return answer()!
  }
  if (era === 'legacy') {
    await ask('initialize', INITIALIZE)
    await lines.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
  } else await ask('server/discover')
  return { lines, came, ask, raw: lines.raw }
}

const refused = ({ result, error }: Message) => error !== undefined || result?.isError === true

const page = { approvalUrl: (id: string) => `https://approve.example/${id}` }

describe.each<Era>(['legacy', 'modern'])('a hostile client of the %s era over stdio', (era) => {
  it('of another era than it began with: is refused or answered as one, and the connection goes on', async () => {
    const world = await startWorld()
    const { ask } = await connected(era, world)
    const other = { ...ENVELOPE, 'io.modelcontextprotocol/protocolVersion': era === 'legacy' ? MODERN : '2025-06-18' }
    const unknown = { ...ENVELOPE, 'io.modelcontextprotocol/protocolVersion': '1999-01-01' }
    const search = { name: 'search', arguments: { city: 'Faro' } }
    const codes: unknown[] = []
    for (const meta of [other, unknown, { 'io.modelcontextprotocol/protocolVersion': 7 }]) {
      const answer = await ask('tools/call', { ...search, ['_meta']: meta })
      codes.push(answer.error?.code ?? 'answered')
      expect(JSON.stringify(answer)).not.toMatch(/at .*\.ts|node_modules|Internal error/u)
    }
    // A connection of the legacy era stays one; what its messages claim beside is not looked at.
    expect(codes).toEqual(era === 'legacy' ? ['answered', 'answered', 'answered'] : [-32_022, -32_022, -32_602])
    await ask('initialize', INITIALIZE)
    expect((await ask('tools/list')).result!.tools).toHaveLength(4)
    expect(world.effects).toEqual([])
  })

  it('N18: with names, ids, methods and arguments of a MiB gets words, and the next is answered', async () => {
    const world = await startWorld()
    const { ask } = await connected(era, world)
    const large = 'x'.repeat(1024 * 1024)
    const before = process.memoryUsage().rss
    for (let round = 0; round < 3; round++) {
      expect(refused(await ask('tools/call', { name: large, arguments: {} }))).toBe(true)
      expect(refused(await ask(large))).toBe(true)
      expect(refused(await ask('tools/call', { name: 'search', arguments: { city: 'x', [large]: 1 } }))).toBe(true)
      await ask('tools/list', {}, large)
    }
    const entries = await world.fixture.trail(world.token)
    expect(Buffer.byteLength(JSON.stringify(entries))).toBeLessThan(200_000)
    expect(process.memoryUsage().rss - before).toBeLessThan(400 * 1024 * 1024)
    expect((await ask('tools/list')).result!.tools).toHaveLength(4)
  })

  // Where time is short, a tenth of them.
  const times = process.env['SURFACES'] === 'one' ? 1000 : 10_000
  it('that asks 10,000 times for the list is answered 10,000 times, within bounds', async () => {
    const world = await startWorld()
    const { lines, came, ask } = await connected(era, world)
    const [began, before] = [came.length, process.memoryUsage().rss]
    const params = era === 'modern' ? { _meta: ENVELOPE } : {}
    for (let id = 1; id <= times; id++) await lines.send({ jsonrpc: '2.0', id: `l${id}`, method: 'tools/list', params })
    await expect.poll(() => came.length - began, { timeout: 100_000, interval: 100 }).toBe(times)
    const lists = came.slice(began).filter(({ result }) => result?.tools?.length === 4)
    expect([lists.length, new Set(lists.map(({ id }) => id)).size]).toEqual([times, times])
    expect(process.memoryUsage().rss - before).toBeLessThan(600 * 1024 * 1024)
    expect((await ask('tools/call', { name: 'search', arguments: { city: 'Faro' } })).result!.isError ?? false).toBe(false)
  }) // prettier-ignore

  it('N18: with a token in its arguments, text or _meta acts with its own, and the token is in no answer or log', async () => {
    const world = await startWorld({}, page)
    const { ask } = await connected(era, world)
    const { token: other } = await world.fixture.issued('ana-key', { scope: ['never.given'] })
    const meta = era === 'modern' ? ENVELOPE : {}
    const answers = [
      await ask('tools/call', { name: 'secret', arguments: { authorization: `Bearer ${other}`, token: other } }),
      await ask('tools/call', { name: 'secret', arguments: {}, _meta: { ...meta, authorization: other, bearer: other } }),
      await ask('tools/call', { name: 'secret', arguments: {}, authorization: `Bearer ${other}` }),
      await ask('tools/call', { name: 'secret', arguments: {}, _meta: { ...meta, 'svc-kit/task_id': 't', 'svc-kit/parent_invocation_id': other } }),
      await ask('tools/call', { name: 'trip__book', arguments: { hotel: 'Ritz', _approval: other } }),
    ] // prettier-ignore
    for (const answer of answers.slice(0, 4)) expect(refused(answer)).toBe(true)
    expect(JSON.stringify(answers)).not.toContain(other)
    expect(JSON.stringify(answers)).not.toContain(world.token)
    const logged = world.fixture.logged.join('\n')
    expect([logged.includes(other), logged.includes(world.token)]).toEqual([false, false])
    const trail = JSON.stringify((await world.fixture.trail(world.token)).map(({ parameters: _, ...entry }) => entry))
    expect(trail).not.toContain(world.token)
    expect(world.effects).toEqual([])
  })

  it('N18: that calls a hidden tool by its name, in any spelling, is refused by the evaluator and on the trail', async () => {
    const world = await startWorld()
    const { ask } = await connected(era, world)
    const names = [
      'secret',
      'Secret',
      'secret ',
      'sеcret',
      '../secret',
      'svc.secret',
      'trip.book/../secret',
      '__proto__',
    ]
    for (const name of names) {
      const { result } = await ask('tools/call', { name, arguments: {} })
      const { failure } = result!.structuredContent as { readonly failure: { readonly type: string } }
      expect(failure.type).toBe(name === 'secret' ? 'scope_insufficient' : 'unknown_capability')
    }
    const entries = (await world.fixture.trail(world.token)).filter(({ entry_type }) => entry_type === 'invocation')
    expect(entries.map(({ success }) => success)).toEqual(names.map(() => false))
  })

  it('that sends batches, halves and answers to nothing is told so, and the connection goes on', async () => {
    const world = await startWorld()
    const { lines, came, ask } = await connected(era, world)
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: era === 'modern' ? { _meta: ENVELOPE } : {} }
    for (const odd of [[list, list], [], 7, null, 'x', { jsonrpc: '2.0', id: 5 }, { jsonrpc: '2.0', id: 6, result: {} }])
      await lines.send(odd)
    expect((await ask('tools/list')).result!.tools).toHaveLength(4)
    expect(came.filter(({ id, result }) => id === 1 && result !== undefined)).toEqual([])
  }) // prettier-ignore
})

describe.each<Era>(['legacy', 'modern'])('a message of the %s era that HTTP would not take as JSON', (era) => {
  it.each([
    ['"a\\u0000b"', 'The JSON has the character U+0000.'],
    ['{"a\\u0000": 1}', 'The JSON has the character U+0000.'],
    ['"\\ud800"', 'The JSON has half of a surrogate pair.'],
    ['9007199254740993', 'The JSON has an integer that a double cannot carry exactly.'],
    ['{"a":1,"a":2}', 'The JSON has an object with a duplicate member.'],
    [`${'['.repeat(80)}${']'.repeat(80)}`, 'The JSON nests deeper than 64 levels.'],
  ])('is answered with an error over stdio: %s', async (city, reason) => {
    const world = await startWorld()
    const { came, raw, ask } = await connected(era, world)
    raw(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"search","arguments":{"city":${city}}}}`)
    await expect
      .poll(() => came.find(({ id }) => id === 7))
      .toEqual({
        jsonrpc: '2.0',
        id: 7,
        error: { code: -32_700, message: `The message is not acceptable JSON: ${reason}` },
      })
    expect(refused(await ask('tools/call', { name: 'search', arguments: { city: 'Faro' } }))).toBe(false)
  })
})
