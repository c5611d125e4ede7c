import { describe, expect, it } from 'vitest'
import { capability, input } from '../runtime/fixture/manifest.js'
import { requestOf, startFixture } from '../runtime/fixture/service.js'
import { eraseExpired } from '../../src/runtime/lifecycle/retention.js'
import { maintain } from '../../src/runtime/index.js'
import { holdsOnce, spreadOfMedians, timesInTurns } from './statistics.js'

const capabilities = {
  search: capability({
    inputs: [input('city'), input('card')],
    observability: { fields_logged: ['city'], retention: 'P1D' },
  }),
}
const oslo = { parameters: { city: 'Oslo', card: 'CANARY-4111' } }

describe('POST /svc/audit', () => {
  it("A01 A02 no filter shows another principal's trail; siblings share theirs", async () => {
    const { root, issued, invoke, trail } = await startFixture({ capabilities })
    const [ana, sibling] = [await root({ subject: 'agent:a' }), await root({ subject: 'agent:b' })]
    const eve = await issued('eve-key', { scope: ['travel.search'] })
    const id = String(
      (await invoke('search', ana.token, { ...oslo, task_id: 't', client_reference_id: 'r' })).body['invocation_id'],
    )
    for (const query of [
      `?invocation_id=${id}`,
      '?task_id=t',
      '?client_reference_id=r',
      '?capability=search',
      "?task_id=t'%20or%20'1'='1",
      '?success=true&capability=search',
    ])
      expect(await trail(eve.token, query)).toEqual([])
    expect((await trail(sibling.token, `?invocation_id=${id}`)).length).toBe(1)
  })

  it.each(['limit=-1', 'limit=0', 'limit=1e9', 'limit=abc', 'limit=1.5', 'limit=1001', 'since=garbage'])(
    'A03 ?%s is refused',
    async (query) => {
      const { root, post } = await startFixture()
      expect((await post(`/svc/audit?${query}`, (await root()).token)).status).toBe(400)
    },
  )

  it('A03 the far future is empty', async () => {
    const { root, trail } = await startFixture()
    expect(await trail((await root()).token, '?since=9999-01-01T00:00:00Z')).toEqual([])
  })

  it.each(['GET', 'PUT', 'PATCH', 'DELETE'])('A06 %s is not allowed', async (method) => {
    const { call } = await startFixture()
    expect((await call(method, '/svc/audit')).status).toBe(405)
  })

  it('A07 B01 H12 no secret is in the trail, the answers or the log', async () => {
    const { root, invoke, trail, post, logged, storage } = await startFixture({ capabilities, handlers: { search: () => { throw new Error('CANARY-error') } } }) // prettier-ignore
    const { token } = await root()
    await invoke('search', token, oslo)
    await post('/svc/permissions', 'CANARY-key')
    await post('/svc/tokens', 'CANARY-key', { scope: ['a'] })
    const texts = await storage.audit.texts(1, 100)
    const everything = JSON.stringify([await trail(token), texts])
    for (const secret of ['CANARY', token, 'ana-key']) expect(everything).not.toContain(secret)
    expect(logged.filter((line) => !line.startsWith('An invocation failed.')).join('')).not.toContain('CANARY')
    expect(logged.join('')).not.toMatch(/CANARY-4111|CANARY-key|ana-key/u)
  })

  it('A10 what retention erases keeps its place under every proof', async () => {
    const { root, invoke, service, storage, time, call } = await startFixture({ capabilities })
    const { token } = await root({ ttl_hours: 24 })
    await invoke('search', token, oslo)
    await maintain(service)()
    const [before] = await storage.checkpoints.list(1)
    time.now += 2 * 24 * 3600_000
    // An entry that confirms the time.
    await root()
    expect(await eraseExpired(service, await storage.now())).toBe(1)
    const { body, status } = await call('GET', `/svc/checkpoints/${before!.checkpoint_id}?leaf_index=1`)
    expect([status, body['inclusion_proof']?.['leaf_index'], body['merkle_root']]).toEqual([
      200,
      1,
      before!.merkle_root,
    ])
  })

  it('A11 a foreign invocation takes no longer to be not found than none', async () => {
    const { root, issued, invoke, trail } = await startFixture({ capabilities })
    const eve = await issued('eve-key', { scope: ['travel.search'] })
    const id = String((await invoke('search', (await root()).token, oslo)).body['invocation_id'])
    const ask = (invocation: string) => () => trail(eve.token, `?invocation_id=${invocation}`)
    const kinds = { foreign: ask(id), none: ask('inv-000000000000') }
    const isEven = async () => spreadOfMedians(Object.values(await timesInTurns(kinds, 60))) < 0.8
    expect(await holdsOnce(4, isEven)).toBe(true)
  })
})

describe('discovery', () => {
  it.each([{ host: 'evil.example' }, { 'x-forwarded-host': 'evil.example' }, { forwarded: 'host=evil.example' }])(
    'D01 %j is never shown',
    async (headers) => {
      const { fetch } = await startFixture()
      for (const path of ['/.well-known/svc', '/svc/manifest', '/.well-known/jwks.json'])
        expect(
          await (
            await fetch(requestOf('GET', path, { headers: headers as unknown as { [name: string]: string } }))
          ).text(),
        ).not.toContain('evil')
    },
  )

  it('D02 nothing is claimed that is not there', async () => {
    const { call } = await startFixture({ manifest: { trust: { level: 'declarative' } } })
    const { endpoints, trust } = (await call('GET', '/.well-known/svc')).body['svc_discovery'] as unknown as {
      endpoints: { [key: string]: string }
      trust: object
    }
    expect([
      Object.keys(endpoints).includes('checkpoints'),
      Object.keys(endpoints).includes('approval_grants'),
      trust,
    ]).toEqual([false, false, { level: 'declarative' }])
  })

  it('D03 where hosts are listed, others and foreign pages are refused', async () => {
    const { call } = await startFixture({ hosts: ['svc.example', 'svc.example:4100'] })
    const status = async (headers: { [name: string]: string }) =>
      (await call('GET', '/.well-known/svc', { headers })).status
    expect(await status({ host: 'svc.example' })).toBe(200)
    expect(await status({ host: 'evil.example' })).toBe(403)
    expect(await status({ host: 'svc.example', origin: 'https://evil.example' })).toBe(403)
    expect(await status({ host: 'svc.example', origin: 'https://svc.example' })).toBe(200)
    expect(await status({})).toBe(403)
  })

  it('D03 the port of a host and of an origin counts', async () => {
    const origins = ['https://app.example:8443', 'https://svc.example']
    const { call } = await startFixture({ hosts: ['svc.example', 'svc.example:4100'], origins })
    const ask = async (host: string, origin: string) => {
      const { status, headers } = await call('GET', '/.well-known/svc', { headers: { host, origin } })
      return [status, headers.get('access-control-allow-origin')]
    }
    expect(await ask('svc.example', 'https://app.example:8443')).toEqual([200, 'https://app.example:8443'])
    expect(await ask('svc.example', 'https://app.example')).toEqual([403, null])
    expect(await ask('svc.example', 'https://app.example:8444')).toEqual([403, null])
    expect(await ask('svc.example', 'http://app.example:8443')).toEqual([403, null])
    expect(await ask('svc.example', 'https://svc.example:4100')).toEqual([200, null])
    expect(await ask('svc.example', 'https://svc.example:4101')).toEqual([403, null])
    expect((await call('GET', '/.well-known/svc', { headers: { host: 'svc.example:4101' } })).status).toBe(403)
  })

  it('answers those who ask for health by the address of the process', async () => {
    const { call } = await startFixture({ hosts: ['svc.example'] })
    const headers = { host: '10.0.0.7:4100' }
    expect((await call('GET', '/-/live', { headers })).status).toBe(200)
    expect((await call('GET', '/-/ready', { headers })).status).toBe(200)
    const ofAPage = { ...headers, origin: 'http://10.0.0.7:4100' }
    expect((await call('GET', '/-/ready', { headers: ofAPage })).status).toBe(403)
  })
})
