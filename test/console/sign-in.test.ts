import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { StartUpError } from '../../src/runtime/errors/start-up-error.js'
import { serve } from '../../src/runtime/node.js'
import { webConsole } from '../../src/console/index.js'
import { API_KEYS, startFixture } from '../runtime/fixture/service.js'
import { startProvider } from './provider-process.js'
import { startWorld } from './world.js'

const HOUR = 3_600_000
const MINUTE = 60_000
const keys = { options: { development: true } }

let provider: Awaited<ReturnType<typeof startProvider>>
beforeAll(async () => {
  provider = await startProvider()
})
afterAll(() => provider.close())

const SCOPES: { readonly [group: string]: readonly string[] } = { managers: ['approver:book'], travellers: ['travel.search'] } // prettier-ignore
const entitlements = ({ groups }: { readonly groups?: unknown }) => ({
  scopes: (Array.isArray(groups) ? groups : []).flatMap((name) => SCOPES[String(name)] ?? []),
})
const withProvider = (given: object = {}) => ({
  given: { oidc: [{ issuer: provider.issuer, audience: 'flights', entitlements }] as never, ...given },
  options: { clientId: 'svc-console', clientSecret: 'console-secret' },
})

describe('signing in at the provider', () => {
  it('says who is here by the ID token, and what they may by their groups', async () => {
    const browser = (await startWorld(withProvider())).browser()
    expect((await browser.me())['person']).toBeUndefined()
    const { back } = await browser.byProvider('u-bob', '/-/console/approvals/apr_1')
    expect([back.status, back.headers.get('location')]).toEqual([303, '/-/console/approvals/apr_1'])
    expect((await browser.me())['person']).toMatchObject({
      principal: 'human:bob@example.com',
      by: 'provider',
      may_approve: ['book'],
      tiers: [],
    })
  })

  it('takes a code once, in the browser that began, within ten minutes', async () => {
    const world = await startWorld(withProvider())
    const browser = world.browser()
    const { callback } = await browser.byProvider('u-bob')
    const again = await browser.get(callback)
    expect(again.headers.get('location')).toBe('/-/console/sign-in?because=expired')
    const other = await world.browser().get(callback)
    expect(other.headers.get('location')).toBe('/-/console/sign-in?because=expired')
    const slow = world.browser()
    const begun = await slow.post('/-/console/api/sign-in/provider')
    world.pass(11 * MINUTE)
    const late = await slow.get(`/-/console/callback?code=x&state=${new URL(begun.body['location'] as unknown as string).searchParams.get('state')}`) // prettier-ignore
    expect(late.headers.get('location')).toBe('/-/console/sign-in?because=expired')
  })

  it('refuses an answer with another state, and one without an identity', async () => {
    const browser = (await startWorld(withProvider())).browser()
    await browser.post('/-/console/api/sign-in/provider')
    const forged = await browser.get('/-/console/callback?code=x&state=forged')
    expect(forged.headers.get('location')).toBe('/-/console/sign-in?because=unknown')
    expect((await browser.me())['person']).toBeUndefined()
  })

  it('ends after 30 minutes without use and after 12 hours in all', async () => {
    const world = await startWorld(withProvider())
    const browser = world.browser()
    await browser.byProvider('u-bob')
    const out = () => browser.post('/-/console/api/sign-out')
    expect((await browser.me())['person']).toBeDefined()
    world.pass(31 * MINUTE)
    expect((await out()).status).toBe(401)
    await browser.byProvider('u-bob')
    world.pass(12 * HOUR + 1)
    expect((await browser.me())['person']).toBeUndefined()
  })

  it('ends although its page goes on to ask by itself, and not while somebody works', async () => {
    const world = await startWorld(withProvider())
    const [idle, busy] = [world.browser(), world.browser()]
    await idle.byProvider('u-bob')
    await busy.byProvider('u-bob')
    for (let count = 0; count < 2; count++) {
      world.pass(16 * MINUTE)
      await idle.get('/-/console/api/approvals')
      await busy.post('/-/console/api/try/permission', { capability: 'search' })
    }
    expect((await idle.me())['person']).toBeUndefined()
    expect((await busy.me())['person']).toBeDefined()
  })

  it('begins no session for somebody who is blocked', async () => {
    const world = await startWorld(withProvider())
    const block = { principal: 'human:bob@example.com', reason: 'left' }
    expect((await world.fixture.post('/-/tokens/revoke', 'op-key', block)).status).toBe(200)
    const browser = world.browser()
    const { back } = await browser.byProvider('u-bob')
    expect([back.status, back.headers.getSetCookie().filter((line) => !line.includes('Max-Age=0'))]).toEqual([403, []])
    expect((await browser.me())['person']).toBeUndefined()
  })

  it('needs a publicUrl where the listener is no loopback address, and an issuer that the service knows', async () => {
    const { service } = await startFixture(withProvider().given)
    const serving = (options: object, host = '127.0.0.1') =>
      serve(service, { host, port: 0, surfaces: [webConsole({ ...withProvider().options, ...options })] })
    await expect(serving({}, '0.0.0.0')).rejects.toThrow(StartUpError)
    await expect(serving({ issuer: 'https://other.example' })).rejects.toThrow('none of the OIDC providers')
  })

  it('answers that the provider is away, and works when it is back', async () => {
    const gone = { oidc: [{ issuer: 'http://127.0.0.1:9', audience: 'flights', entitlements }] as never }
    const browser = (await startWorld(withProvider(gone))).browser()
    const begun = await browser.post('/-/console/api/sign-in/provider')
    expect([begun.status, begun.body['failure']?.['type']]).toEqual([503, 'service_unavailable'])
  })
})

describe('signing in with an API key', () => {
  it('works in development mode on loopback', async () => {
    const browser = (await startWorld(keys)).browser()
    expect(await browser.me()).toMatchObject({ takes_keys: true, service: 'flights' })
    expect((await browser.byKey('bob-key'))['person']).toMatchObject({ principal: 'human:bob', by: 'key' })
    expect((await browser.post('/-/console/api/sign-out')).status).toBe(200)
    expect((await browser.me())['person']).toBeUndefined()
  })

  it.each([
    ['without development mode', { options: {} }, {}],
    ['through a proxy', keys, { 'x-forwarded-for': '203.0.113.9' }],
    ['where people reach the service by another name', { ...keys, serving: { publicUrl: 'https://svc.example' } }, {}],
    ['where others reach the listener', { ...keys, serving: { host: '0.0.0.0' } }, {}],
  ])('does not %s', async (_, given, headers) => {
    const world = await startWorld(given)
    const browser = world.browser(
      'serving' in given && 'publicUrl' in given.serving ? 'https://svc.example' : undefined,
    )
    const refused = await browser.post('/-/console/api/sign-in/key', { key: 'bob-key' }, headers)
    expect([refused.status, refused.headers.getSetCookie()]).toEqual([expect.any(Number), []])
    expect(refused.status).toBeGreaterThanOrEqual(400)
  })

  it('bounds guessing, and says nothing of keys that it does not know', async () => {
    const world = await startWorld({ ...keys, given: { limits: { badCredentialsPerMinute: 2 } } })
    const statuses: number[] = []
    for (let count = 0; count < 4; count++)
      statuses.push((await world.browser().post('/-/console/api/sign-in/key', { key: 'guess' })).status)
    expect(statuses).toEqual([401, 401, 429, 429])
  })

  it('ends with the key', async () => {
    const file = { keys: API_KEYS }
    const apiKeys = Object.assign([...API_KEYS], { reload: async () => file.keys })
    const world = await startWorld({ ...keys, given: { apiKeys: apiKeys as never } })
    const browser = world.browser()
    expect((await browser.byKey('bob-key'))['person']).toBeDefined()
    file.keys = API_KEYS.filter(({ id }) => id !== 'bob')
    await world.fixture.service.apiKeys.reload()
    expect((await browser.me())['person']).toBeUndefined()
    file.keys = API_KEYS
    await world.fixture.service.apiKeys.reload()
    expect((await browser.post('/-/console/api/sign-out')).status).toBe(401)
  })

  it('ends when its key goes to somebody else', async () => {
    const file = { keys: API_KEYS }
    const apiKeys = Object.assign([...API_KEYS], { reload: async () => file.keys })
    const world = await startWorld({ ...keys, given: { apiKeys: apiKeys as never } })
    const browser = world.browser()
    await browser.byKey('bob-key')
    file.keys = API_KEYS.map((key) => (key.id === 'bob' ? { ...key, principal: 'human:eve' as const } : key))
    await world.fixture.service.apiKeys.reload()
    expect((await browser.me())['person']).toBeUndefined()
  })

  it('ends where all sessions of a person are ended', async () => {
    const world = await startWorld(keys)
    const browser = world.browser()
    await browser.byKey('bob-key')
    expect(await world.fixture.storage.sessions.endAll({ principal: 'human:bob' })).toBe(1)
    expect((await browser.me())['person']).toBeUndefined()
  })
})

it('without a provider the console answers this machine only', async () => {
  const world = await startWorld(keys)
  expect((await world.browser().get('/-/console/')).status).toBe(200)
  for (const headers of [{ 'x-forwarded-for': '203.0.113.9' }, { forwarded: 'for=203.0.113.9' }, { via: '1.1 proxy' }])
    expect((await world.browser().get('/-/console/', { headers })).status).toBe(404)
})

it('is not there unless it is asked for', async () => {
  const { service } = await startFixture()
  const { url, close } = await serve(service, { port: 0 })
  expect((await fetch(`${url}/-/console/`)).status).toBe(404)
  await close()
})

describe('a decision by somebody whom the provider vouched for', () => {
  it('N15 needs a sign-in of the last 15 minutes, which says anew what they may', async () => {
    const world = await startWorld(withProvider())
    const { token } = await world.fixture.root({ subject: 'agent:planner' })
    const refused = await world.fixture.invoke('book', token, { parameters: { hotel: 'Aurora' } })
    const path = `/-/console/api/approvals/${refused.body['failure']?.['approval_request_id']}`
    const browser = world.browser()
    await browser.byProvider('u-bob')
    world.pass(16 * MINUTE)
    for (const verb of ['approve', 'deny'])
      expect((await browser.post(`${path}/${verb}`)).body['failure']?.['type']).toBe('authentication_required')
    expect((await browser.get(path)).body['status']).toBe('pending')
    await browser.byProvider('u-bob')
    expect((await browser.post(`${path}/approve`)).body).toMatchObject({ approver: 'human:bob@example.com' })
  })

  it.each([
    ['/-/console/api/try/call', { capability: 'search', parameters: {}, key: 'once' }],
    ['/-/console/api/tokens/revoke', { token_id: 'tok_x', reason: 'Gone' }],
  ])('and so does %s', async (path, body) => {
    const world = await startWorld(withProvider())
    const browser = world.browser()
    await browser.byProvider('u-bob')
    world.pass(16 * MINUTE)
    expect((await browser.post(path, body)).body['failure']?.['type']).toBe('authentication_required')
    await browser.byProvider('u-bob')
    expect((await browser.post(path, body)).body['failure']?.['type']).not.toBe('authentication_required')
  })
})
