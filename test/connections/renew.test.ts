/** Renewals: one replica at a time, no refresh token twice, and nothing lost but what was cut off (section 19). */
import { beforeEach, expect, it } from 'vitest'
import { agentOf, authorizationServer, connectedAs, listed, mail, publicClient, startMail } from './world.js'

const { issuer, control } = authorizationServer()
beforeEach(async () => {
  mail.connection = publicClient(issuer())
  await control({ sent: [], reused: 0, delay: 0, fail: 0, revoked: 0, lifetime: 600 })
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

it('that are put off send the same token again, and those that are refused end the connection', async () => {
  const { one, ana } = await replicas()
  const agent = await agentOf(one, 'ana-key')
  await control({ fail: 1 })
  expect(await agent.call('read_mail')).toMatchObject({ status: 503, type: 'service_unavailable', retry: true })
  expect(await agent.call('read_mail')).toMatchObject({ account: 'ana@mail.example' })
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
  expect(await anas.call('read_mail')).toMatchObject({ status: 403, type: 'connection_required' })
  expect(await bobs.call('read_mail')).toMatchObject({ status: 200, account: 'bob@mail.example' })
  expect((await listed(ana))['connections']).toMatchObject([{ state: 'ended', ended_because: 'interrupted' }])
  const { sent, reused } = await control()
  expect([sent.length, reused]).toEqual([1, 0])
})
