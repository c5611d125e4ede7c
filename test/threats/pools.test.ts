/** N29, N30: bodies that are never finished, over sockets; revocation, operators and calls are answered meanwhile (decisions, section 20). */
import { EventEmitter } from 'node:events'
import type { Server } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, expect, it, onTestFinished, vi } from 'vitest'
import { answerOverHttp } from '../../src/runtime/http/answer.js'
import { beginInTurn } from '../../src/runtime/http/begin-in-turn.js'
import { DEFAULT_LIMITS } from '../../src/runtime/limits.js'
import { bodiesInFlight } from '../../src/runtime/request/bodies-in-flight.js'
import { nodeServer } from '../../src/runtime/http/server.js'
import { noteAccepted } from '../../src/runtime/net/accepting.js'
import { turns } from '../../src/runtime/request/turns.js'
import { capability } from '../runtime/fixture/manifest.js'
import { startFixture, type Fixture } from '../runtime/fixture/service.js'

const open: { close(): void }[] = []
afterEach(() => open.splice(0).forEach((each) => each.close()))

async function listening({ service }: Fixture): Promise<number> {
  const server = nodeServer(answerOverHttp(service), service.limits)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  open.push({ close: () => (server.closeAllConnections(), server.close()) })
  return (server.address() as AddressInfo).port
}

/** Sends the head of a request and a part of its body, and never the rest. */
function unfinished(port: number, path: string, bearer: string, bytes: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  open.push({ close: () => socket.destroy() })
  socket.on('error', () => undefined)
  const head = `POST ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${bearer}\r\ncontent-type: application/json\r\ncontent-length: ${bytes + 1}\r\n\r\n`
  return new Promise((resolve) => socket.write(head + ' '.repeat(bytes), () => resolve(socket)))
}

/** The status of a request that is sent once. */
async function asked(port: number, path: string, bearer: string, body: object): Promise<number> {
  const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json', connection: 'close' }
  return (await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body: JSON.stringify(body) }))
    .status
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 100))

it('N29 a connection that sends thousands of requests at once gets few answers, and ends', async () => {
  const port = await listening(await startFixture())
  const answers = await new Promise<string>((resolve) => {
    let text = ''
    const socket = connect(port, '127.0.0.1', () =>
      socket.write('GET /-/live HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(3_000)),
    )
    socket.on('data', (part) => (text += part.toString())).on('error', () => undefined)
    socket.on('close', () => resolve(text))
  })
  expect(answers.split('HTTP/1.1 200').length - 1).toBeLessThanOrEqual(16)
})

const turn = () => new Promise((resolve) => setImmediate(resolve))

it('N29 of hundreds of requests that come in one turn, 64 begin in it, and those of another network in the next', async () => {
  const begin = beginInTurn(new EventEmitter() as Server)
  const begun: string[] = []
  for (let at = 0; at < 200; at++) begin('flood', () => void begun.push('flood'))
  begin('other', () => void begun.push('other'))
  expect([begun.length, begun.includes('other')]).toEqual([64, false])
  await turn()
  expect([begun.length, begun.indexOf('other')]).toEqual([128, 65])
})

it('N29 requests begin once no connection comes any more, or after a moment', async () => {
  const [server, time] = [new EventEmitter() as Server, { now: 0 }]
  const begin = beginInTurn(server, () => time.now)
  const begun: string[] = []
  const connects = () => void server.emit('connection')
  connects()
  begin('a', () => void begun.push('first'))
  await turn()
  expect(begun).toEqual([])
  await turn()
  expect(begun).toEqual(['first'])
  connects()
  begin('a', () => void begun.push('second'))
  await turn()
  connects()
  time.now = 20
  await turn()
  expect(begun).toEqual(['first', 'second'])
})

it('N29 what comes after a large body begins once no connection comes any more, or after a moment', async () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(0)
  onTestFinished(() => now.mockRestore())
  const begun: string[] = []
  const afterLarge = (name: string) => {
    const turnOf = turns()
    void turnOf('a', 17_000)
    void turnOf('a', 10)!.then(() => begun.push(name))
  }
  const connected = async (count: number) => {
    for (let at = 0; at < count; at++) {
      noteAccepted()
      await turn()
    }
  }
  afterLarge('quiet')
  await connected(6)
  expect(begun).toEqual([])
  for (let at = 0; at < 4; at++) await turn()
  expect(begun).toEqual(['quiet'])
  afterLarge('late')
  await connected(6)
  now.mockReturnValue(100)
  await connected(2)
  expect(begun).toEqual(['quiet', 'late'])
})

it('N30 a body that is complete keeps its room until it is read, and does not stall', () => {
  const time = { now: 0 }
  const bodies = bodiesInFlight({ ...DEFAULT_LIMITS, bodyBytesInFlightPerPrincipal: 2_300 }, () => time.now)
  const [one, two] = [1, 2].map(() => bodies.begin({ pool: 'known', root: 'human:ana', tokens: [] }))
  const ended: string[] = []
  one!.whenEnded(() => void ended.push('one'))
  expect(one!.take(1_000)).toBe(true)
  void one!.turn()
  time.now = DEFAULT_LIMITS.bodyStallMs + 1
  expect([two!.take(700), two!.take(100), ended]).toEqual([true, false, []])
  one!.end()
  expect(two!.take(100)).toBe(true)
})

it.each(['/svc/invoke/search', '/svc/permissions', '/svc/tokens', '/svc/tokens/revoke'])(
  'N30 an agent with bodies that it never finishes at %s: its person calls, and revokes it',
  async (path) => {
    const fixture = await startFixture({ limits: { bodyBytesInFlight: 1_000_000, bodyBytesInFlightPerPrincipal: 400_000, bodyBytesInFlightPerToken: 100_000 } })
    const port = await listening(fixture)
    const agent = await fixture.root({ subject: 'agent:gone-wrong' })
    const own = await fixture.root()
    await Promise.all(Array.from({ length: 40 }, () => unfinished(port, path, agent.token, 15_000)))
    await settled()
    expect(await asked(port, '/svc/invoke/search', own.token, { parameters: {} })).toBe(200)
    expect(await asked(port, '/svc/tokens/revoke', 'ana-key', { token_id: agent.token_id })).toBe(200)
    expect(await asked(port, '/-/tokens/revoke', 'op-key', { principal: 'human:eve', reason: 'test' })).toBe(200)
    expect((await fixture.call('GET', '/-/ready')).body).toMatchObject({ status: 'degraded', alarms: ['bodies_refused'] })
    fixture.time.now += 60_000
    expect((await fixture.call('GET', '/-/ready')).body).toMatchObject({ alarms: [] })
  },
) // prettier-ignore

it.each(['/svc/invoke/search', '/svc/tokens', '/svc/tokens/revoke'])(
  'N30 a token with bodies that it never finishes at %s: the token above it and one beside it are answered, and it is ended',
  async (path) => {
    const fixture = await startFixture({ limits: { bodyBytesInFlight: 1_000_000, bodyBytesInFlightPerPrincipal: 400_000, bodyBytesInFlightPerToken: 100_000, bodyBytes: 20_000 } })
    const port = await listening(fixture)
    const parent = await fixture.root({ subject: 'agent:orchestrator' })
    const below = (subject: string) => fixture.issued(parent.token, { parent_token: parent.token_id, subject, scope: ['travel.search'] })
    const [wrong, sibling] = [await below('agent:gone-wrong'), await below('agent:beside')]
    const sizes = path.endsWith('revoke') ? [100] : [15_000, 1_000, 10]
    for (const size of sizes) await Promise.all(Array.from({ length: 40 }, () => unfinished(port, path, wrong.token, size)))
    await settled()
    expect(await asked(port, '/svc/invoke/search', sibling.token, { parameters: {} })).toBe(200)
    expect(await asked(port, '/svc/invoke/search', parent.token, { parameters: {} })).toBe(200)
    expect(await asked(port, '/svc/tokens/revoke', sibling.token, { token_id: sibling.token_id })).toBe(200)
    expect(await asked(port, '/svc/tokens/revoke', parent.token, { token_id: wrong.token_id })).toBe(200)
  },
) // prettier-ignore

/** Sends the head of a request and a number of chunks of one byte, and never the last. */
function inSmallParts(port: number, path: string, bearer: string, parts: number): Promise<Socket> {
  const head = `POST ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${bearer}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`
  return held(port, head + '1\r\n \r\n'.repeat(parts))
}

it('N30 an agent whose bodies come in parts of one byte: its person revokes it', async () => {
  const fixture = await startFixture()
  const port = await listening(fixture)
  const agent = await fixture.root({ subject: 'agent:gone-wrong' })
  const ofRoot = (fixture.service.limits.bodyBytesInFlight / 10 / 10) | 0
  await inSmallParts(port, '/svc/tokens/revoke', agent.token, Math.floor(ofRoot / 257))
  await settled()
  expect(await asked(port, '/svc/tokens/revoke', 'ana-key', { token_id: agent.token_id })).toBe(200)
})

/** Opens a connection, sends a text, and never anything else. */
function held(port: number, text: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  open.push({ close: () => socket.destroy() })
  socket.on('error', () => undefined)
  return new Promise((resolve) => socket.write(text, () => resolve(socket)))
}

const HEAD = 'POST /svc/tokens HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n'

it.each([
  ['that send nothing', ''],
  ['whose head has no end', HEAD],
  ['whose body does not begin', `${HEAD}content-length: 10\r\n\r\n`],
  ['whose body has no end', `${HEAD}content-length: 10\r\n\r\n{`],
])('N29 more connections than there are, %s: revocation, operators and calls are answered over new ones', async (_, text) => {
  const fixture = await startFixture({ limits: { connections: 40 } })
  const port = await listening(fixture)
  const own = await fixture.root()
  const agent = await fixture.root({ subject: 'agent:gone-wrong' })
  const sockets: Socket[] = []
  for (let round = 0; round < 4; round++) {
    for (let count = 0; count < 20; count++) sockets.push(await held(port, text))
    expect(await asked(port, '/svc/invoke/search', own.token, { parameters: {} })).toBe(200)
    expect((await fetch(`http://127.0.0.1:${port}/-/live`)).status).toBe(200)
  }
  expect(await asked(port, '/svc/tokens/revoke', 'ana-key', { token_id: agent.token_id })).toBe(200)
  expect(await asked(port, '/-/tokens/revoke', 'op-key', { principal: 'human:eve', reason: 'test' })).toBe(200)
  expect(sockets.filter(({ destroyed }) => !destroyed).length).toBeGreaterThan(0)
}) // prettier-ignore

it('N30 an agent that waits for decisions over every connection it gets: its person, others and operators are answered', async () => {
  const book = capability({ approval: { required: 'always', grant_policy: { allowed_grant_types: ['one_time'], default_grant_type: 'one_time', expires_in_seconds: 900, max_uses: 1 } } } as never)
  const fixture = await startFixture({ capabilities: { search: capability(), book }, limits: { connections: 400 } })
  const port = await listening(fixture)
  const agent = await fixture.root({ subject: 'agent:gone-wrong' })
  const own = await fixture.root()
  const request = String((await fixture.invoke('book', agent.token)).body['failure']?.['approval_request_id'])
  let answered = 0
  const statuses: number[] = []
  const wait = (bearer: string) =>
    fetch(`http://127.0.0.1:${port}/svc/approval_requests/${request}?wait=25`, { headers: { authorization: `Bearer ${bearer}` } })
      .then(({ status }) => void (statuses.push(status), (answered += 1)), () => undefined)
  for (let count = 0; count < 12; count++) void wait(agent.token)
  await expect.poll(() => answered).toBe(7)
  expect(statuses).toEqual([429, 429, 429, 429, 429, 429, 429])
  void wait('ana-key')
  await expect.poll(() => fixture.service.places.get('wait human:ana')).toBe(6)
  expect(await asked(port, '/svc/invoke/search', own.token, { parameters: {} })).toBe(200)
  expect(await asked(port, '/svc/tokens/revoke', 'ana-key', { token_id: agent.token_id })).toBe(200)
  expect(await asked(port, '/-/tokens/revoke', 'op-key', { principal: 'human:eve', reason: 'test' })).toBe(200)
  expect(answered).toBe(7)
}) // prettier-ignore

it('N30 an agent whose calls do not end: its person calls and revokes while they hold', async () => {
  let begun = 0
  const search = () => new Promise((resolve) => void ((begun += 1), open.push({ close: () => resolve({}) })))
  const read = capability()
  const fixture = await startFixture({ capabilities: { search: capability(), read }, handlers: { search } as never, limits: { connections: 160 } })
  const port = await listening(fixture)
  const agent = await fixture.root({ subject: 'agent:gone-wrong' })
  const own = await fixture.root()
  const statuses: number[] = []
  for (let count = 0; count < 15; count++)
    void asked(port, '/svc/invoke/search', agent.token, { parameters: {} }).then((status) => statuses.push(status), () => undefined)
  await expect.poll(() => [begun, statuses]).toEqual([10, [429, 429, 429, 429, 429]])
  expect(await asked(port, '/svc/invoke/read', own.token, { parameters: {} })).toBe(200)
  expect(await asked(port, '/svc/tokens/revoke', 'ana-key', { token_id: agent.token_id })).toBe(200)
  expect(statuses).toHaveLength(5)
}) // prettier-ignore

it('N29 requests that wait behind one another leave nothing when their connection ends', async () => {
  const fixture = await startFixture()
  const server: Server = nodeServer(answerOverHttp(fixture.service), fixture.service.limits)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  open.push({ close: () => server.close() })
  const answers: WeakRef<object>[] = []
  server.on('request', ({ socket: its }, outgoing) => {
    answers.push(new WeakRef(outgoing))
    if (answers.length === 14) its.destroy()
  })
  const socket = await held((server.address() as AddressInfo).port, 'GET /svc/manifest HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(16))
  await expect.poll(() => answers.length).toBeGreaterThan(12)
  expect(socket.bytesWritten).toBeGreaterThan(0)
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  await expect.poll(() => (collect(), answers.filter((each) => each.deref() !== undefined).length)).toBeLessThan(3)
}) // prettier-ignore
