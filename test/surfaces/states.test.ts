/** S7: the state of a call that waits. What was changed, has expired or is of another is refused; another replica takes it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { writeNewKeys } from '../../src/runtime/keys/key-directory.js'
import { startPostgres } from '../runtime/storage/postgres-server.js'
import { lineTransport } from './line-transport.js'
import { startWorld, type World } from './mcp-world.js'

const MODERN = '2026-07-28'
const page = { approvalUrl: (id: string) => `https://approve.example/${id}` }

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': { elicitation: { url: {}, form: {} } },
}

interface Message {
  readonly id?: number
  readonly result?: { readonly requestState?: string; readonly structuredContent?: unknown; readonly tools?: unknown }
  readonly error?: { readonly code: number; readonly message: string }
}

/** Sends one request of the modern era, over whatever it was made for. */
type Ask = (method: string, params: object, token?: string) => Promise<Message>

const paramsOf = (params: object) => ({ ...params, _meta: ENVELOPE })

const overHttp =
  (url: string, own: string): Ask =>
  async (method, params, token = own) => {
    const { name } = params as { readonly name?: string }
    const response = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': MODERN,
        'mcp-method': method,
        ...(name !== undefined && { 'mcp-name': name }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: paramsOf(params) }),
    })
    return (await response.json()) as Message
  }

/** A connection of its own for each message: over stdio it has one token. */
const overStdio =
  ({ fixture, options, token: own }: World): Ask =>
  async (method, params, token = own) => {
    const lines = lineTransport(fixture.service, options, { token })
    const answered = new Promise<Message>((take) =>
      Object.assign(lines, { onmessage: (message: Message) => (message.id === 1 ? take(message) : undefined) }),
    )
    await lines.start()
    await lines.send({ jsonrpc: '2.0', id: 1, method, params: paramsOf(params) })
    return answered.finally(() => lines.close())
  }

const WAYS: readonly (readonly [string, (world: World) => Ask])[] = [
  ['HTTP', (world) => overHttp(world.url, world.token)],
  ['stdio', overStdio],
]

const CALL = { name: 'trip__book', arguments: { hotel: 'Ritz' } }
const resumed = (state: string, call: object = CALL) => ({
  ...call,
  requestState: state,
  inputResponses: { approval: { action: 'accept' } },
})

async function stateFrom(ask: Ask, call: object = CALL): Promise<string> {
  const { result } = await ask('tools/call', call)
  return result!.requestState!
}

/** The answer to a state that is not ours, as far as all of them agree. */
const FORGED = { code: -32_602, message: 'Invalid or expired requestState' }

afterEach(() => void vi.useRealTimers())

describe.each(WAYS)('S7 over %s: a state is refused', (_, way) => {
  const start = async () => {
    const world = await startWorld({ limits: { longPollSeconds: 0.25 } }, page)
    const ask = way(world)
    return { world, ask, state: await stateFrom(ask) }
  }

  it('with any one of its characters changed', async () => {
    const { world, ask, state } = await start()
    const all = Array.from(state, (character, at) => {
      const other = character === 'A' ? 'B' : 'A'
      return `${state.slice(0, at)}${other}${state.slice(at + 1)}`
    })
    // Of the last character some bits are no part of the seal.
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    all.push(...Array.from(letters, (letter) => `${state.slice(0, -1)}${letter}`).filter((each) => each !== state))
    for (const changed of all) expect((await ask('tools/call', resumed(changed))).error, changed).toMatchObject(FORGED)
    expect(all.length).toBeGreaterThan(100)
    expect(world.effects).toEqual([])
  })

  it('when it has expired, and taken just before', async () => {
    const { world, ask, state } = await start()
    const now = Date.now()
    vi.useFakeTimers({ toFake: ['Date'], now: now + 890_000 })
    expect((await ask('tools/call', resumed(state))).error).toBeUndefined()
    vi.setSystemTime(now + 905_000)
    expect((await ask('tools/call', resumed(state))).error).toMatchObject(FORGED)
    expect(world.effects).toEqual([])
  })

  it('of another subject, another root principal, another tool, and a tool that nobody has', async () => {
    const { world, ask, state } = await start()
    const other = await world.fixture.root({ subject: 'agent:other' })
    const eve = await world.fixture.issued('eve-key', { scope: ['travel.search'], subject: 'agent:planner' })
    for (const { token } of [other, eve])
      expect((await ask('tools/call', resumed(state), token)).error).toMatchObject(FORGED)
    for (const name of ['search', 'secret', 'nothing', 'trip.book'])
      expect((await ask('tools/call', resumed(state, { ...CALL, name }))).error).toMatchObject(FORGED)
    expect(world.effects).toEqual([])
  })

  it('of another method: it brings no method anything', async () => {
    const { world, ask, state } = await start()
    for (const method of ['tools/list', 'server/discover', 'prompts/get', 'resources/read', 'completion/complete']) {
      const { result, error } = await ask(method, { ...resumed(state), name: 'trip__book', uri: 'x:y' })
      expect([result?.structuredContent, result === undefined && error === undefined]).toEqual([undefined, false])
    }
    const forged = await ask('tools/list', { requestState: `${state}A` })
    expect(forged.error === undefined || forged.error.code === -32_602).toBe(true)
    expect(world.effects).toEqual([])
  })
})

async function folderWithKeys(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-states-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }))
  await writeNewKeys(folder, ['manifest', 'tokens', 'audit'], Date.now())
  return folder
}

/** A replica in a process of its own. */
async function replica(storage: object, keys: string): Promise<{ readonly url: string; readonly pid: string; readonly end: () => Promise<void> }> {
  const config = JSON.stringify({ storage, keys })
  const child = spawn(process.execPath, [resolve('test/surfaces/replica.js'), config], { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, LOG_LEVEL: 'error' } })
  onTestFinished(() => void child.kill('SIGKILL'))
  const line = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), once(child, 'exit')])
  if (typeof line[0] !== 'string') throw new Error('The replica did not start.')
  const [url, pid] = line[0].split(' ') as [string, string]
  const end = async () => {
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  return { url, pid, end }
} // prettier-ignore

const post = async (url: string, path: string, bearer: string, body: object) => {
  const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' }
  const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  return (await response.json()) as { readonly token: string; readonly approval_requests: readonly { readonly approval_request_id: string }[] } // prettier-ignore
}

async function approveAll(url: string): Promise<void> {
  const response = await fetch(`${url}/svc/approval_requests?status=pending`, { headers: { authorization: 'Bearer bob-key' } }) // prettier-ignore
  const { approval_requests } = (await response.json()) as { approval_requests: { approval_request_id: string }[] }
  for (const { approval_request_id } of approval_requests)
    await post(url, '/svc/approval_grants', 'bob-key', { approval_request_id, grant_type: 'one_time' })
}

const BOOK = { name: 'book', arguments: { hotel: 'Ritz' } }

describe('S7: a state is taken', () => {
  it('by another process on the same PostgreSQL', async () => {
    const server = await startPostgres()
    onTestFinished(() => server.stop())
    const storage = { url: await server.database('replicas') }
    const keys = await folderWithKeys()
    const [first, second] = await Promise.all([replica(storage, keys), replica(storage, keys)])
    const { token } = await post(first.url, '/svc/tokens', 'ana-key', { scope: ['travel.book'], subject: 'agent:planner' }) // prettier-ignore
    const [asked, taken] = [overHttp(first.url, token), overHttp(second.url, token)]
    const state = await stateFrom(asked, BOOK)
    expect((await taken('tools/call', resumed(`${state.slice(0, -1)}${state.endsWith('A') ? 'B' : 'A'}`, BOOK))).error).toMatchObject(FORGED) // prettier-ignore
    await approveAll(second.url)
    const { result } = await taken('tools/call', resumed(state, BOOK))
    expect(result!.structuredContent).toEqual({ booked: `Ritz by ${second.pid}` })
    const again = await asked('tools/call', resumed(state, BOOK))
    expect(again.result!.structuredContent).toEqual({ booked: `Ritz by ${second.pid}` })
    await Promise.all([first.end(), second.end()])
  })

  it('by the process that comes after, on the same SQLite file', async () => {
    const folder = await folderWithKeys()
    const storage = { file: join(folder, 'service.db') }
    const first = await replica(storage, folder)
    const { token } = await post(first.url, '/svc/tokens', 'ana-key', { scope: ['travel.book'], subject: 'agent:planner' }) // prettier-ignore
    const state = await stateFrom(overHttp(first.url, token), BOOK)
    await first.end()
    const second = await replica(storage, folder)
    await approveAll(second.url)
    const { result } = await overHttp(second.url, token)('tools/call', resumed(state, BOOK))
    expect(result!.structuredContent).toEqual({ booked: `Ritz by ${second.pid}` })
    await second.end()
  })
})
