import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { StartUpError } from '../../src/runtime/errors/start-up-error.js'
import { serve } from '../../src/runtime/node.js'
import { webConsole } from '../../src/console/index.js'
import { isFresh } from '../../src/console/session/entitled.js'
import { personOf } from '../../src/console/session/person.js'
import { signInRoutes } from '../../src/console/sign-in/routes.js'
import { signInUnderWay } from '../../src/console/sign-in/under-way.js'
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
    expect(forged.headers.getSetCookie().join()).toMatch(/-sign-in=; .*Max-Age=0/u)
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
    let asked = 0
    const server = createServer((_, response) => {
      const [endpoints, status] = [{ issuer, authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token`, jwks_uri: `${issuer}/jwks` }, (asked += 1) === 1 ? 503 : 200] // prettier-ignore
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(endpoints))
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const world = await startWorld(withProvider({ oidc: [{ issuer, audience: 'flights', entitlements }] as never }))
    const begin = () => world.browser().post('/-/console/api/sign-in/provider')
    const away = await begin()
    expect([away.status, away.body['failure']?.['type']]).toEqual([503, 'service_unavailable'])
    const { status, body, headers } = await begin()
    expect(status).toBe(200)
    const { origin, pathname, searchParams } = new URL(String(body['location']))
    expect([origin + pathname, searchParams.get('redirect_uri'), searchParams.get('code_challenge_method')]).toEqual([`${issuer}/auth`, `${world.url}/-/console/callback`, 'S256']) // prettier-ignore
    for (const name of ['state', 'nonce', 'code_challenge']) expect(searchParams.get(name)).toMatch(/^[\w-]{43}$/u)
    expect(headers.getSetCookie().join()).toMatch(/^svc-console-\d+-sign-in=[\w-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/u) // prettier-ignore
  })

  it.each([
    ['a secret', { clientSecret: 'console-secret' }, 'openid email', `Basic ${btoa('svc%2Dconsole:console%2Dsecret')}`, null],
    ['none', { clientSecret: '' }, 'openid email', undefined, 'svc-console'],
    ['a scope of its own', { clientSecret: undefined, scope: 'openid groups' }, 'openid groups', undefined, 'svc-console'],
  ])('asks for its scope, and takes the code to the provider as a client with %s', async (_, options, scope, authorization, clientId) => {
    const asked: { readonly authorization: string | undefined; readonly body: URLSearchParams }[] = []
    const server = createServer((request, response) => {
      const endpoints = { issuer, authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token`, jwks_uri: `${issuer}/jwks` }
      if (request.method === 'GET') return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(endpoints))
      request.setEncoding('utf8').once('data', (body: string) => asked.push({ authorization: request.headers.authorization, body: new URLSearchParams(body) }))
      return request.once('end', () => response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"invalid_grant"}'))
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const world = await startWorld({ ...withProvider({ oidc: [{ issuer, audience: 'flights', entitlements }] as never }), options: { clientId: 'svc-console', ...options } })
    const browser = world.browser()
    const { searchParams } = new URL(String((await browser.post('/-/console/api/sign-in/provider')).body['location']))
    expect([searchParams.get('scope'), searchParams.get('client_id')]).toEqual([scope, 'svc-console'])
    await browser.get(`/-/console/callback?code=c&state=${searchParams.get('state')}`)
    const [{ authorization: shown, body } = { authorization: '', body: new URLSearchParams() }] = asked
    expect([shown, body.get('client_id'), body.get('client_secret'), body.get('code'), body.get('redirect_uri')]).toEqual([authorization, clientId, null, 'c', `${world.url}/-/console/callback`])
    expect(body.get('code_verifier')).toMatch(/^[\w-]{43}$/u)
  }) // prettier-ignore

  it('is bounded: who comes back with nothing again and again has to wait', async () => {
    const browser = (await startWorld(withProvider({ limits: { badCredentialsPerMinute: 1 } }))).browser()
    const because: (string | null)[] = []
    for (let count = 0; count < 3; count++) {
      await browser.post('/-/console/api/sign-in/provider')
      because.push((await browser.get('/-/console/callback?code=x&state=forged')).headers.get('location'))
    }
    expect(because).toEqual(['unknown', 'too-often', 'too-often'].map((word) => `/-/console/sign-in?because=${word}`))
  })

  it('is over when the console has another provider, or none', async () => {
    const ended: string[] = []
    const session = { hash: 'h', principal: 'human:ana', credential: { issuer: 'https://one.example', subject: 'u' } }
    const sessions = { look: async () => session, end: async (hash: string) => void ended.push(hash) }
    const at = (provider: object | undefined) =>
      personOf(
        { service: { storage: { sessions } }, provider, origin: () => 'https://svc.example', base: '' } as never,
        { header: (name: string) => (name === 'cookie' ? '__Host-svc-console-session=c' : null) } as never,
      )
    expect(await at({ issuer: 'https://one.example' })).toMatchObject({ known: { principal: 'human:ana' } })
    expect([await at({ issuer: 'https://two.example' }), await at(undefined)]).toEqual([undefined, undefined])
    expect(ended).toEqual(['h', 'h'])
  })

  const NOW = Date.parse('2026-03-01T12:00:00.000Z')
  const begun = { state: 's', nonce: 'n', verifier: 'v', page: '/-/console/tokens', begunAt: NOW - 600_000 }
  it.each<[string, object | string, string | undefined]>([
    ['counts for ten minutes', begun, '/-/console/tokens'],
    ['counts no longer', { ...begun, begunAt: NOW - 600_001 }, undefined],
    ['has not begun yet', { ...begun, begunAt: NOW + 1 }, undefined],
    ['says not when it began', { ...begun, begunAt: 'then' }, undefined],
    ['has no nonce', { ...begun, nonce: undefined }, undefined],
    ['has no state', { ...begun, state: undefined }, undefined],
    ['has no verifier', { ...begun, verifier: 7 }, undefined],
    ['leads elsewhere', { ...begun, page: 'https://evil.example/' }, '/-/console/'],
    ['is no JSON', 'x', undefined],
  ])('that is under way %s', (_, kept, page) => {
    const value = Buffer.from(typeof kept === 'string' ? kept : JSON.stringify(kept)).toString('base64url')
    const request = { header: () => `a=b; svc-console-4100-sign-in=${value}` }
    const setting = { service: { now: () => NOW }, origin: () => 'http://127.0.0.1:4100', base: '' }
    expect(signInUnderWay(setting as never, request as never)?.page).toBe(page)
  })

  it.each([
    ['unknown', undefined, 1],
    ['too-often', 7, 0],
  ])('N29 counts against whoever it came from: %s', async (because, wait, asks) => {
    const [taken, asked]: [unknown[], unknown[]] = [[], []]
    const guesses = { take: (...given: unknown[]) => (taken.push(given), wait) }
    const service = { now: () => NOW, guesses, limits: { badCredentialsPerMinute: 5 } }
    const provider = { finish: async (...given: unknown[]) => void asked.push(given) }
    const setting = { service, provider, origin: () => 'http://127.0.0.1:4100', base: '' }
    const cookie = `svc-console-4100-sign-in=${Buffer.from(JSON.stringify(begun)).toString('base64url')}`
    const request = { client: '203.0.113.9', target: '/-/console/callback?code=x', header: () => cookie }
    const route = signInRoutes.find(({ path }) => path === '/callback') as { anybody(visit: never): Promise<{ readonly headers: readonly string[] }> } // prettier-ignore
    const { headers } = await route.anybody({ setting, request } as never)
    expect([headers[1], taken, asked.length]).toEqual([`/-/console/sign-in?because=${because}`, [['sign-in 203.0.113.9', 5]], asks])
  }) // prettier-ignore

  it('by a key is not offered through a proxy, also where there is a provider', async () => {
    const { given, options } = withProvider()
    const browser = (await startWorld({ given, options: { ...options, development: true } })).browser()
    expect((await browser.me())['takes_keys']).toBe(true)
    const headers = { 'x-forwarded-for': '203.0.113.9' }
    expect((await browser.get('/-/console/api/me', { headers })).body['takes_keys']).toBe(false)
    expect((await browser.post('/-/console/api/sign-in/key', { key: 'bob-key' }, headers)).status).toBe(404)
  })

  it('by a key is over once its cookie comes through a proxy', async () => {
    const { given, options } = withProvider()
    const browser = (await startWorld({ given, options: { ...options, development: true } })).browser()
    await browser.byKey('bob-key')
    expect((await browser.me())['person']).toMatchObject({ principal: 'human:bob' })
    await browser.get('/-/console/api/me', { headers: { 'x-forwarded-for': '203.0.113.9' } })
    expect((await browser.me())['person']).toBeUndefined()
  })

  it('is not offered where the variable of its client is empty', async () => {
    const world = await startWorld({ given: withProvider().given, options: { clientId: '' } })
    expect((await world.browser().me())['provider']).toBeUndefined()
  })

  it('N16 begins on a page at the publicUrl alone, where there is one', async () => {
    const world = await startWorld({ ...withProvider(), serving: { publicUrl: 'https://svc.example' } })
    const hosted = (origin: string) => world.browser(origin).post('/-/console/api/sign-in/provider')
    expect([(await hosted(world.url)).status, (await hosted('http://svc.example')).status]).toEqual([403, 403])
    expect((await hosted('https://svc.example')).status).toBe(200)
  })
})

describe('signing in with an API key', () => {
  it('works in development mode on loopback', async () => {
    const world = await startWorld(keys)
    const browser = world.browser()
    expect(await browser.me()).toMatchObject({ takes_keys: true, service: 'flights' })
    expect((await browser.byKey('bob-key'))['person']).toMatchObject({ principal: 'human:bob', by: 'key' })
    const out = await browser.post('/-/console/api/sign-out')
    expect([out.status, out.headers.getSetCookie()]).toEqual([200, [`svc-console-${new URL(world.url).port}-session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0`]]) // prettier-ignore
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

  it('goes on while it is used, for twelve hours', async () => {
    const world = await startWorld(keys)
    const browser = world.browser()
    await browser.byKey('bob-key')
    const statuses: number[] = []
    for (let minutes = 0; minutes < 720; minutes += 20) {
      world.pass(20 * MINUTE)
      statuses.push((await browser.get('/-/console/api/trail/export?format=ndjson')).status)
    }
    expect(statuses).toEqual([...Array.from({ length: 35 }, () => 200), 401])
  })

  it('counts by one cookie: two of its name are none, and one of a session that has ended is none', async () => {
    const browser = (await startWorld(keys)).browser()
    await browser.byKey('bob-key')
    const [[key = '', value = ''] = []] = browser.jar
    const cookie = `${key.split(' ')[1]}=${value}`
    const personBy = async (sent: string) =>
      (await browser.get('/-/console/api/me', { headers: { cookie: sent } })).body['person']
    expect(await personBy(cookie)).toMatchObject({ principal: 'human:bob' })
    expect(await personBy(`${cookie}; ${cookie}`)).toBeUndefined()
    expect(await personBy(`x${cookie}`)).toBeUndefined()
    await browser.post('/-/console/api/sign-out')
    expect(await personBy(cookie)).toBeUndefined()
  })

  it('says how long to wait to whom it bounds', async () => {
    const world = await startWorld({ ...keys, given: { limits: { badCredentialsPerMinute: 1 } } })
    const guess = () => world.browser().post('/-/console/api/sign-in/key', { key: 'guess' })
    await guess()
    expect(Number((await guess()).headers.get('retry-after'))).toBeGreaterThan(0)
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
    expect(await world.fixture.storage.sessions.endAll({ principal: 'human:bob' })).toHaveLength(1)
    expect((await browser.me())['person']).toBeUndefined()
  })
})

it('without a provider the console answers this machine only', async () => {
  const world = await startWorld(keys)
  expect((await world.browser().get('/-/console/')).status).toBe(200)
  for (const name of ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'])
    expect([name, (await world.browser().get('/-/console/', { headers: { [name]: 'x' } })).status]).toEqual([name, 404])
})

it('is not there unless it is asked for', async () => {
  const { service } = await startFixture()
  const { url, close } = await serve(service, { port: 0 })
  expect((await fetch(`${url}/-/console/`)).status).toBe(404)
  await close()
})

describe('a decision by somebody whom the provider vouched for', () => {
  it.each([
    [0, true],
    [900_000, true],
    [900_001, false],
    [-1, false],
  ])('is fresh after %i ms: %s; by a key always', (age, holds) => {
    const by = (credential: object) => isFresh({ session: { credential, age } } as never)
    expect([by({ issuer: 'https://sso.example', subject: 'u' }), by({ api_key: 'bob' })]).toEqual([holds, true])
  })

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

it('no cookie and no key of who signs in, or fails to, stands in the log', async () => {
  const logged: string[] = []
  const write = (...line: readonly unknown[]) => void logged.push(JSON.stringify(line))
  const world = await startWorld({ ...keys, given: { log: { debug: write, info: write, warn: write, error: write } } })
  const browser = world.browser()
  await browser.byKey('wrong-key')
  await browser.byKey('ana-key')
  expect(logged.join()).toContain('Somebody signed in to the console.')
  for (const secret of [...browser.jar.values(), 'ana-key', 'wrong-key']) expect(logged.join()).not.toContain(secret)
  expect(browser.jar.size).toBeGreaterThan(0)
})
