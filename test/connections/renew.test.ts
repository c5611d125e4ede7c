/** Renewals: one replica at a time, no refresh token twice, and nothing lost but what was cut off (section 19). */
import { beforeEach, describe, expect, it } from 'vitest'
import { generateRingSecret } from '../../src/crypto/keys/secret-key.js'
import { reencrypting } from '../../src/runtime/connections/reencrypt.js'
import type { World } from '../console/world.js'
import { agentOf, authorizationServer, connectedAs, listed, mail, publicClient, RING, startMail } from './world.js'

const { issuer, control } = authorizationServer()
beforeEach(async () => {
  mail.connection = publicClient(issuer())
  await control({ sent: [], reused: 0, delay: 0, fail: 0, revoked: 0, lifetime: 600, refresh: true, refused: false })
})

/** Two replicas on one store, with the accounts of two people. */
async function replicas() {
  const one = await startMail()
  const other = await startMail({ storage: one.fixture.storage })
  const ana = await connectedAs(one, 'ana-key', 'ana@mail.example')
  await connectedAs(one, 'bob-key', 'bob@mail.example')
  return { one, other, ana }
}

it('are done by one replica at a time, for each person with their own account', async () => {
  const { one, other } = await replicas()
  const agents = await Promise.all(
    [one, other].flatMap((world) =>
      ['ana-key', 'bob-key'].flatMap((key) => ['agent:a', 'agent:b'].map((subject) => agentOf(world, key, subject))),
    ),
  )
  for (let round = 0; round < 3; round++) {
    for (const { fixture } of [one, other]) fixture.service.connections.held.clear()
    const answers = await Promise.all(agents.map((agent) => agent.call('read_mail')))
    const [anas, bobs] = [Array(2).fill('ana@mail.example'), Array(2).fill('bob@mail.example')]
    expect(answers.map(({ account, type }) => account ?? type)).toEqual([...anas, ...bobs, ...anas, ...bobs])
  }
  const { sent, reused } = await control()
  expect([new Set(sent).size, reused]).toEqual([sent.length, 0])
  expect(sent.length).toBeGreaterThan(5)
})

const json = { 'content-type': 'application/json' }
const basic = { 'www-authenticate': 'Basic realm="mail"' }

it.each<[string, object]>([
  ['429', { status: 429 }],
  ['503 that says when', { status: 503, headers: { 'retry-after': '7' } }],
  ['400 of a request', { status: 400, headers: json, body: '{"error":"invalid_request"}' }],
  ['401 of a client', { status: 401, headers: { ...json, ...basic }, body: '{"error":"invalid_client"}' }],
])('that are put off by a %s send the same token again', async (_, fail) => {
  const { one } = await replicas()
  const agent = await agentOf(one, 'ana-key')
  await control({ fail })
  expect(await agent.call('read_mail')).toMatchObject({ status: 503, type: 'service_unavailable', retry: true })
  expect(await agent.call('read_mail')).toMatchObject({ account: 'ana@mail.example' })
})

it.each<[string, object]>([
  ['408', { status: 408 }],
  ['499', { status: 499 }],
  ['503 that does not say when', { status: 503 }],
  ['400 that cannot be read', { status: 400, headers: json, body: '{"error":' }],
  ['400 of no OAuth error', { status: 400, headers: json, body: '{"error":"upstream timeout"}' }],
  ['500', { status: 500, headers: json, body: '{"error":"invalid_request"}' }],
])('that are answered with a %s may be done: the connection of that person ends, said so', async (_, fail) => {
  const { one } = await replicas()
  const [anas, bobs] = [await agentOf(one, 'ana-key'), await agentOf(one, 'bob-key')]
  await control({ fail })
  const lost = { type: 'connection_required', detail: expect.stringContaining('its renewal was cut off.') }
  for (let call = 0; call < 2; call++) expect(await anas.call('read_mail')).toMatchObject(lost)
  expect((await control()).sent).toEqual([])
  expect(await bobs.call('read_mail')).toMatchObject({ account: 'bob@mail.example' })
})

/** Replaces the write that ends a renewal. */
async function whereRenewalsEnd(write: (end: () => Promise<boolean>, world: World) => Promise<boolean>) {
  const { one, ana } = await replicas()
  const { connections } = one.fixture.storage
  const { endRenewal } = connections
  Object.assign(connections, {
    endRenewal: (...given: Parameters<typeof endRenewal>) => write(() => endRenewal(...given), one),
  })
  return { ana, agent: await agentOf(one, 'ana-key') }
}

it.each<[string, string, object]>([
  ['disconnects', '/-/connections/ID/disconnect', {}],
  ['is blocked', '/-/tokens/revoke', { principal: 'human:ana', reason: 'Left.' }],
])('whose person %s meanwhile leave no token: those before and those given are revoked', async (_, path, body) => {
  const { agent } = await whereRenewalsEnd(async (end, { fixture }) => {
    const { connection_id } = (await fixture.storage.connections.of('human:ana', 'mail'))!
    expect((await fixture.post(path.replace('ID', connection_id), 'op-key', body)).status).toBe(200)
    return end()
  })
  expect((await agent.call('read_mail')).account).toBeUndefined()
  await expect.poll(async () => (await control()).revoked).toBe(2)
})

it('whose write arrived although its answer was lost are used', async () => {
  let writes = 0
  const { agent } = await whereRenewalsEnd(async (end) => {
    const isStored = await end()
    if (writes++ === 0) throw new Error('The answer was lost.')
    return isStored
  })
  expect(await agent.call('read_mail')).toMatchObject({ account: 'ana@mail.example' })
  expect([writes, (await control()).revoked]).toEqual([2, 0])
})

it('that are refused end the connection', async () => {
  const { one, ana } = await replicas()
  const agent = await agentOf(one, 'ana-key')
  mail.connection = publicClient(issuer(), { clientId: 'svc-public' })
  const { storage } = one.fixture.service
  const kept = (await storage.connections.of('human:ana', 'mail'))!
  const { withTokens } = await import('../../src/runtime/connections/kept-connection.js')
  const tokens = { client: { id: 'svc-public', method: 'none' as const }, refresh_token: 'unknown' }
  await storage.connections.put(withTokens(one.fixture.service, { ...kept, connection_id: 'con_other' }, tokens))
  expect(await agent.call('read_mail')).toMatchObject({ status: 403, type: 'connection_required' })
  expect((await listed(ana))['connections']).toMatchObject([{ state: 'ended', ended_because: 'refused_upstream' }])
})

it('that were cut off end the connection of that person alone, said so, and send nothing again', async () => {
  const { one, other, ana } = await replicas()
  const { storage } = one.fixture.service
  const kept = (await storage.connections.of('human:ana', 'mail'))!
  expect(await storage.connections.beginRenewal(kept.connection_id, kept.revision, 'a process that died')).toBe(true)
  for (const world of [one, other]) world.pass(30_001)
  const [anas, bobs] = [await agentOf(other, 'ana-key'), await agentOf(other, 'bob-key')]
  expect(await anas.call('read_mail')).toMatchObject({
    status: 403,
    type: 'connection_required',
    detail:
      'The account of human:ana at Mail is not connected: its renewal was cut off. Open connection_url as human:ana, and ' +
      'make the call again.',
  })
  expect(await bobs.call('read_mail')).toMatchObject({ status: 200, account: 'bob@mail.example' })
  expect((await listed(ana))['connections']).toMatchObject([{ state: 'ended', ended_because: 'interrupted' }])
  const { sent, reused } = await control()
  expect([sent.length, reused]).toEqual([1, 0])
})

it('are not possible without a refresh token: the same access token is used until it is refused', async () => {
  await control({ refresh: false })
  const { one, other, ana } = await replicas()
  const agents = await Promise.all([one, other].map((world) => agentOf(world, 'ana-key')))
  for (const agent of agents) expect(await agent.call('read_mail')).toMatchObject({ account: 'ana@mail.example' })
  await control({ refused: true })
  expect(await agents[1]!.call('read_mail')).toMatchObject({
    status: 403,
    type: 'connection_required',
    detail: expect.stringContaining('is not connected: the access was refused there.'),
  })
  await control({ refused: false })
  expect(await agents[0]!.call('read_mail')).toMatchObject({ type: 'connection_required' })
  expect((await listed(ana))['connections']).toMatchObject([{ state: 'ended', ended_because: 'refused_upstream' }])
})

it('end when the access token that nothing renews has expired', async () => {
  await control({ refresh: false })
  const { one } = await replicas()
  one.pass(600_001)
  expect(await (await agentOf(one, 'ana-key')).call('read_mail')).toMatchObject({
    type: 'connection_required',
    detail: expect.stringContaining('is not connected: its access has expired.'),
  })
})

/** The keys of a world, with another secret, or one more, for connections. */
const [rows, first] = RING.secrets
const second = generateRingSecret('connections')

describe('a connections key', () => {
  it('that is lost means that people connect again, before anybody is asked to approve', async () => {
    const { one, ana } = await replicas()
    const lost = await startMail({ storage: one.fixture.storage, keys: { ...RING, secrets: [rows!, second] } })
    expect(await (await agentOf(lost, 'ana-key')).call('send_approved')).toMatchObject({
      status: 403,
      type: 'connection_required',
      detail: expect.stringContaining('is not connected: the key that encrypted it is gone.'),
    })
    const seen = lost.browser()
    await seen.byKey('ana-key')
    expect((await listed(seen))['connections']).toMatchObject([{ state: 'ended', ended_because: 'key_lost' }])
    const again = await connectedAs(lost, 'ana-key', 'ana@mail.example')
    expect(again.page).toContain('connected=mail')
    expect(await (await agentOf(lost, 'ana-key')).call('read_mail')).toMatchObject({ account: 'ana@mail.example' })
    expect(ana.page).toContain('connected=mail')
  })

  it('that is rotated encrypts all tokens anew, after which the old one may go', async () => {
    const { one } = await replicas()
    const { storage } = one.fixture
    const retired = { ...first!, state: 'retired' as const }
    const both = await startMail({ storage, keys: { ...RING, secrets: [rows!, retired, second] } })
    await reencrypting()(both.fixture.service)
    const alone = await startMail({ storage, keys: { ...RING, secrets: [rows!, second] } })
    for (const [key, account] of [
      ['ana-key', 'ana@mail.example'],
      ['bob-key', 'bob@mail.example'],
    ] as const)
      // prettier-ignore
      expect(await (await agentOf(alone, key)).call('read_mail')).toMatchObject({ account })
    expect((await control()).reused).toBe(0)
  })

  it('that is rotated encrypts again what a replica with the keys of before still writes', async () => {
    const { one, other } = await replicas()
    const { storage } = one.fixture
    const both = await startMail({
      storage,
      keys: { ...RING, secrets: [rows!, { ...first!, state: 'retired' }, second] },
    })
    const reencrypt = reencrypting()
    const underOf = async () => (await storage.connections.of('human:ana', 'mail'))!.sealed!.split('.')[0]
    for (let run = 0; run < 2; run++) await reencrypt(both.fixture.service)
    expect(await underOf()).toBe(second.kid)
    await connectedAs(other, 'ana-key', 'ana@mail.example')
    expect(await underOf()).toBe(first!.kid)
    for (let run = 0; run < 10; run++) await reencrypt(both.fixture.service)
    expect(await underOf()).toBe(second.kid)
  })

  it('that is alone is no reason not to look once there are two', async () => {
    const { one } = await replicas()
    const { service } = one.fixture
    const reencrypt = reencrypting()
    const ring = (secrets: typeof RING.secrets) => service.keys.replace({ ...service.keys.ring(), secrets })
    ring([rows!, second])
    await reencrypt(service)
    ring([rows!, { ...first!, state: 'retired' }, second])
    await reencrypt(service)
    expect((await service.storage.connections.of('human:ana', 'mail'))!.sealed!.split('.')[0]).toBe(second.kid)
  })
})

it('by a row of a restored backup end that connection, as the provider refuses a token that it has replaced', async () => {
  const { one, other, ana } = await replicas()
  const { connections } = one.fixture.service.storage
  const saved = (await connections.of('human:ana', 'mail'))!
  const [anas, bobs] = [await agentOf(one, 'ana-key'), await agentOf(other, 'bob-key')]
  expect(await anas.call('read_mail')).toMatchObject({ account: 'ana@mail.example' })
  await connections.put(saved)
  one.fixture.service.connections.held.clear()
  expect(await anas.call('read_mail')).toMatchObject({
    type: 'connection_required',
    detail: expect.stringContaining('is not connected: the access was refused there.'),
  })
  expect(await bobs.call('read_mail')).toMatchObject({ account: 'bob@mail.example' })
  expect((await listed(ana))['connections']).toMatchObject([{ state: 'ended', ended_because: 'refused_upstream' }])
})
