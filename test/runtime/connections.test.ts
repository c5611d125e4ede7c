/** Endpoints of connections: a person sees and ends their own, an operator sees and ends all, an agent none. */
import { expect, it } from 'vitest'
import { generateRingSecret } from '../../src/crypto/keys/secret-key.js'
import { declareConnection } from '../../src/runtime/connections/settings.js'
import { withTokens } from '../../src/runtime/connections/kept-connection.js'
import { capability } from './fixture/manifest.js'
import { KEYS, startFixture } from './fixture/service.js'

const keys = { ...KEYS, secrets: [...KEYS.secrets, generateRingSecret('connections')] }
const extensions = { 'x-upstream': { connection: 'box' } }
declareConnection('box', () => ({ issuer: 'https://login.box.example', scopes: ['read'], title: 'Box' }))

async function start() {
  const fixture = await startFixture({ capabilities: { look: capability({ extensions }) }, keys })
  const { service } = fixture
  for (const name of ['ana', 'eve'] as const) {
    const connection = {
      connection_id: `con_${name}`,
      person: `human:${name}`,
      upstream: 'box',
      revision: 1,
      scopes: ['read'],
      issuer: 'https://login.box.example',
      connected_at: Date.parse('2026-03-01T11:00:00.000Z'),
    } as const
    const client = { id: 'svc', method: 'none' } as const
    await service.storage.connections.put(
      withTokens(service, connection, { client, refresh_token: `${name}'s secret` }),
    )
  }
  return fixture
}

const BOX = { upstream: 'box', title: 'Box', issuer: 'https://login.box.example', capabilities: ['look'] }
const view = (name: string, more: object = {}) => ({
  connection_id: `con_${name}`,
  person: `human:${name}`,
  upstream: 'box',
  scopes: ['read'],
  state: 'connected',
  connected_at: '2026-03-01T11:00:00.000Z',
  ...more,
})

it('are listed for their person alone, and for operators', async () => {
  const { call, root } = await start()
  expect((await call('GET', '/-/connections', { bearer: 'ana-key' })).body).toEqual({
    connections: [view('ana')],
    upstreams: [BOX],
    count: 1,
  })
  const all = await call('GET', '/-/connections/all?limit=1', { bearer: 'op-key' })
  expect(all.body).toEqual({ connections: [view('ana')], upstreams: [BOX], count: 1, next_cursor: 'con_ana' })
  const rest = await call('GET', '/-/connections/all?cursor=con_ana', { bearer: 'op-key' })
  expect(rest.body['connections']).toEqual([view('eve')])
  const one = await call('GET', '/-/connections/all?principal=human:eve&upstream=box', { bearer: 'op-key' })
  expect(one.body['count']).toBe(1)
  expect((await call('GET', '/-/connections/all', { bearer: 'ana-key' })).status).toBe(403)
  expect((await call('GET', '/-/connections', { bearer: (await root()).token })).status).toBe(403)
  expect(JSON.stringify(all.body)).not.toContain('secret')
})

it('are ended by their person or an operator, once, and their tokens are gone from the store', async () => {
  const { post, service, root } = await start()
  expect((await post('/-/connections/con_ana/disconnect', 'eve-key')).status).toBe(404)
  expect((await post('/-/connections/con_ana/disconnect', (await root()).token)).status).toBe(403)
  expect((await post('/-/connections/con_ana/disconnect', 'ana-key')).body).toEqual(
    view('ana', { state: 'ended', ended_because: 'disconnected' }),
  )
  expect(await service.storage.connections.get('con_ana')).not.toHaveProperty('sealed')
  expect((await post('/-/connections/con_ana/disconnect', 'ana-key')).status).toBe(404)
  expect((await post('/-/connections/con_eve/disconnect', 'op-key')).status).toBe(200)
  expect((await post('/-/connections/tok_1/disconnect', 'ana-key')).status).toBe(404)
})

it('N38 are of no use without their key, under another, in another row, for another person or service', async () => {
  const { call, service, storage } = await start()
  const kept = (await storage.connections.get('con_ana'))!
  const lost = await startFixture({
    capabilities: { look: capability({ extensions }) },
    keys: { ...KEYS, secrets: [...KEYS.secrets, generateRingSecret('connections')] },
    storage,
  })
  const { body } = await lost.call('GET', '/-/connections', { bearer: 'ana-key' })
  expect(body['connections']).toEqual([view('ana', { state: 'ended', ended_because: 'key_lost' })])
  const { connectionTokensOf: opened } = await import('../../src/runtime/connections/kept-connection.js')
  expect(opened(service, kept)?.refresh_token).toBe("ana's secret")
  for (const moved of [{ connection_id: 'con_eve' }, { person: 'human:eve' as const }, { upstream: 'files' }])
    expect(opened(service, { ...kept, ...moved })).toBeUndefined()
  expect(opened({ ...service, id: 'other' }, kept)).toBeUndefined()
  const [kid, bytes] = kept.sealed!.split('.')
  const changed = Buffer.from(bytes!, 'base64url')
  changed[20]! ^= 1
  expect(opened(service, { ...kept, sealed: `${kid}.${changed.toString('base64url')}` })).toBeUndefined()
  expect(opened(service, { ...kept, sealed: `${kid}.AAAA` })).toBeUndefined()
  expect((await call('GET', '/-/connections', { bearer: 'ana-key' })).body['connections']).toEqual([view('ana')])
})

it('say what is missing for them at the start', async () => {
  await expect(startFixture({ capabilities: { look: capability({ extensions }) } })).rejects.toThrow(
    'There is no active key for the role connections. Make one with: svc keys generate --role connections',
  )
  const unknown = capability({ extensions: { 'x-upstream': { connection: 'nowhere' } } })
  await expect(startFixture({ capabilities: { look: unknown } })).rejects.toThrow(
    'x-upstream names the connection nowhere, which no upstream of the handlers declares.',
  )
})

it('have a metadata document only where people can connect accounts', async () => {
  const { call } = await start()
  expect((await call('GET', '/.well-known/svc-client.json')).status).toBe(404)
})
