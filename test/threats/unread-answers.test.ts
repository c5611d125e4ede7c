/** N29, N30: answers that nobody reads keep no memory beyond a bound, and no place of others. */
import { once } from 'node:events'
import type { Server } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { afterEach, expect, it, vi } from 'vitest'
import { webConsole } from '../../src/console/index.js'
import { sha256Hex } from '../../src/crypto/json/digest.js'
import { answerOverHttp } from '../../src/runtime/http/answer.js'
import type { AnswerOverHttp, HttpRequest } from '../../src/runtime/http/exchange.js'
import { fetchHandler } from '../../src/runtime/http/fetch.js'
import { nodeServer } from '../../src/runtime/http/server.js'
import { listCheckpoints } from '../../src/runtime/checkpoints/detail.js'
import { DEFAULT_LIMITS, type RuntimeLimits } from '../../src/runtime/limits.js'
import { besideSurfaces } from '../../src/runtime/surfaces/surface.js'
import { startFixture } from '../runtime/fixture/service.js'

const open: { close(): void }[] = []
afterEach(() => open.splice(0).forEach((each) => each.close()))

/** More than the buffers of the system take. */
const LARGE = new Uint8Array(32 * 1024 * 1024)

async function serving(answer: AnswerOverHttp, limits: Partial<RuntimeLimits> = {}): Promise<Server> {
  const server = nodeServer(answer, { ...DEFAULT_LIMITS, ...limits })
  open.push({ close: () => (server.closeAllConnections(), server.close()) })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return server
}

function sent(server: Server, text: string): Socket {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1', () => socket.write(text))
  socket.on('error', () => undefined).pause()
  open.push({ close: () => socket.destroy() })
  return socket
}

const asked = (...paths: string[]): string => paths.map((path) => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`).join('')

it('N29 of a connection whose answer is unread, nothing more is served until it is read', async () => {
  const served: string[] = []
  const server = await serving(async ({ target }) => {
    served.push(target)
    return { status: 200, headers: [], body: target === '/large' ? LARGE : 'short' }
  })
  const unread = sent(server, asked('/large', '/2', '/3'))
  await vi.waitFor(() => expect(served).toEqual(['/large']))
  await once(sent(server, asked('/other')).resume(), 'data')
  expect(served).toEqual(['/large', '/other'])
  unread.resume()
  await vi.waitFor(() => expect(served).toEqual(['/large', '/other', '/2', '/3']))
})

it('N29 nothing is served any more for a connection that is gone', async () => {
  const served: string[] = []
  let answer = (): void => undefined
  const server = await serving(async ({ target }) => {
    served.push(target)
    if (target === '/1') await new Promise<void>((resolve) => (answer = resolve))
    return { status: 200, headers: [], body: '' }
  })
  const accepted = once(server, 'connection') as Promise<[Socket]>
  const client = sent(server, asked('/1', '/2'))
  const [socket] = await accepted
  await vi.waitFor(() => expect(served).toEqual(['/1']))
  const closed = once(socket, 'close')
  client.destroy()
  await closed
  answer()
  await once(sent(server, asked('/3')).resume(), 'data')
  expect(served).toEqual(['/1', '/3'])
})

it('N29 a connection that takes nothing of its answer ends', async () => {
  const server = await serving(async () => ({ status: 200, headers: [], body: LARGE }), { requestTimeoutMs: 100 })
  const accepted = once(server, 'connection') as Promise<[Socket]>
  sent(server, asked('/'))
  const [socket] = await accepted
  await once(socket, 'close')
})

it('N29 of those who read nothing, the connection ends that has waited longest', async () => {
  const server = await serving(async () => ({ status: 200, headers: [], body: LARGE }))
  const accepted: Socket[] = []
  server.on('connection', (socket) => accepted.push(socket))
  sent(server, asked('/'))
  await vi.waitFor(() => expect(accepted[0]?.writableLength).toBeGreaterThan(0))
  sent(server, asked('/'))
  await vi.waitFor(() => expect(accepted.map(({ destroyed }) => destroyed)).toEqual([true, false]))
})

it('N30 a query of the trail has its place until its answer has left', async () => {
  const fixture = await startFixture({ limits: { auditQueriesAtOnce: 1 } })
  const { token } = await fixture.root()
  const answer = answerOverHttp(fixture.service)
  const header = (name: string) => ({ authorization: `Bearer ${token}`, host: 'localhost' })[name] ?? null
  const body = () => Promise.resolve(new Uint8Array())
  const request: HttpRequest = { method: 'POST', target: '/svc/audit', client: '127.0.0.1', header, isGone: () => false, body } // prettier-ignore
  const [first, second] = [await answer(request), await answer(request)]
  first.left?.()
  expect([first.status, second.status, (await answer(request)).status]).toEqual([200, 429, 200])
})

it.each([[[]], [['auditor']]] as const)('N30 in the console, a page of the trail of a person with the roles %j has its place until its answer has left', async (roles) => {
  const apiKeys = [{ id: 'ana', sha256: sha256Hex('ana-key'), principal: 'human:ana', scopes: [], roles }] as const
  const { service } = await startFixture({ apiKeys, limits: { auditQueriesAtOnce: 1 } })
  const context = { publicUrl: undefined, base: '', address: () => 'http://127.0.0.1:8080', listensOnLoopback: true }
  const answer = await besideSurfaces(service, answerOverHttp(service), [webConsole({ development: true })], context)
  const session = { hash: sha256Hex('of-ana'), principal: 'human:ana', credential: { api_key: 'ana' } } as const
  await service.storage.sessions.begin(session, 1e6, 1e6)
  const header = (name: string) => ({ host: '127.0.0.1', cookie: 'svc-console-8080-session=of-ana' })[name] ?? null
  const ask = (query = '') => answer({ method: 'GET', target: `/-/console/api/trail${query}`, client: '127.0.0.1', header, isGone: () => false, body: () => Promise.reject(new Error()) })
  expect((await ask('?since=wrong')).status).toBe(400)
  const [first, second] = [await ask(), await ask()]
  first.left?.()
  expect([first.status, first.principal, second.status, (await ask()).status]).toEqual([200, 'human:ana', 429, 200])
}) // prettier-ignore

it.each<[string, (first: Response) => Promise<unknown>, Partial<RuntimeLimits>]>([
  ['is read', (first) => first.text(), {}],
  ['is dropped', (first) => first.body!.cancel(), {}],
  ['has not been taken in time', () => new Promise((resolve) => setTimeout(resolve, 120)), { requestTimeoutMs: 50 }],
])('N30 through fetch, a query of the trail has its place until its answer %s', async (_, take, limits) => {
  const fixture = await startFixture({ limits: { auditQueriesAtOnce: 1, ...limits } })
  const { token } = await fixture.root()
  const handle = fetchHandler(fixture.service)
  const ask = () => handle(new Request('http://localhost/svc/audit', { method: 'POST', headers: { authorization: `Bearer ${token}` } })) // prettier-ignore
  const [first, second] = [await ask(), await ask()]
  expect([first.status, second.status]).toEqual([200, 429])
  await take(first)
  const third = await ask()
  expect([third.status, Object.keys((await third.json()) as object)]).toEqual([
    200,
    expect.arrayContaining(['entries']),
  ])
})

it('N29 a page of checkpoints ends after 128 KiB, and leads on', async () => {
  const all = Array.from({ length: 300 }, (_, index) => ({ checkpoint_id: `ckp_${300 - index}`, sequence: 300 - index, created_at: '2026-01-01T00:00:00Z', signature: 'x'.repeat(1_000) })) // prettier-ignore
  const list = async (limit: number, before = Infinity) =>
    all.filter(({ sequence }) => sequence < before).slice(0, limit)
  const get = async (id: string) => all.find(({ checkpoint_id }) => checkpoint_id === id)
  const storage = { checkpoints: { list, get } } as never
  const first = await listCheckpoints(storage, { limit: 1_000 })
  const second = await listCheckpoints(storage, { limit: 1_000, cursor: first.next_cursor })
  const third = await listCheckpoints(storage, { limit: 1_000, cursor: second.next_cursor })
  expect([first, second, third].map(({ checkpoints, next_cursor }) => [checkpoints.length, next_cursor])).toEqual([
    [120, 'ckp_181'],
    [120, 'ckp_61'],
    [60, undefined],
  ])
})
