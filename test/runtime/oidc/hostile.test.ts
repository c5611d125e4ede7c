import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/protocol/manifest.js'
import { parseStrictJson } from '../../../src/crypto/json/strict-json.js'
import { jwksAddress } from '../../../src/runtime/credentials/oidc/provider.js'
import type { OidcOptions, RuntimeLimits } from '../../../src/runtime/index.js'
import { entitled } from '../../../src/runtime/credentials/oidc/entitlements.js'
import { startFixture } from '../fixture/service.js'
import { folder, forSet } from '../../vectors-suite/vectors.js'
import { metAt } from './met.js'
import { fakeKey, fakeProvider, json, jwt, type FakeKey, type Respond } from './fake-provider.js'

let provider: Awaited<ReturnType<typeof fakeProvider>>
beforeEach(async () => void (provider = await fakeProvider()))
afterEach(() => provider.close())

async function start(options: Partial<OidcOptions> = {}, limits: Partial<RuntimeLimits> = {}) {
  const time = { shift: 0 }
  const clock = () => Date.now() + time.shift
  const fixture = await startFixture({
    clock,
    oidc: [{ issuer: provider.issuer, audience: 'svc', ...options }],
    limits: { badCredentialsPerMinute: 100_000, ...limits },
  })
  const present = async (claims: object = {}, header: object = {}, key: FakeKey = provider.key) =>
    (await fixture.post('/svc/tokens', jwt(key, provider.claims(claims), header), { scope: ['travel.search'] })).status
  const principal = async (claims: object) => {
    const reply = await fixture.post('/svc/tokens', jwt(provider.key, provider.claims(claims)), {
      scope: ['travel.search'],
    })
    if (reply.status !== 200) return reply.status
    return (await fixture.storage.tokens.chain(reply.body['token_id'] as unknown as string))?.[0].claims.sub
  }
  return { ...fixture, present, principal, shift: (ms: number) => void (time.shift += ms) }
}

describe('claims', () => {
  it.each<[string, object, object, number]>([
    ['sound', {}, {}, 200],
    ['O01 wrong issuer', { iss: 'https://evil.example' }, {}, 401],
    ['O01 wrong audience', { aud: 'other' }, {}, 401],
    ['O01 shared audience with a foreign azp', { aud: ['svc', 'other'], azp: 'other' }, {}, 401],
    ['O01 shared audience with our azp', { aud: ['svc', 'other'], azp: 'svc' }, {}, 200],
    ['O01 shared audience without azp', { aud: ['other', 'svc'] }, {}, 200],
    ['O01 shared audience without ours', { aud: ['other', 'another'] }, {}, 401],
    ['O01 our audience alone with a foreign azp', { azp: 'other' }, {}, 401],
    ['O01 an azp that is no text', { azp: ['svc'] }, {}, 401],
    ['O05 an ID token where an access token is needed', { nonce: 'n' }, { typ: 'JWT' }, 401],
    ['O05 a logout token', { events: {} }, { typ: 'logout+jwt' }, 401],
    ['O05 a logout token that is typed as any other', { events: {} }, { typ: 'JWT' }, 401],
    ['O05 a DPoP proof', { htm: 'POST', htu: 'x' }, { typ: 'dpop+jwt' }, 401],
    ['O14 a delegation token', {}, { typ: 'svc-delegation+jwt' }, 401],
    ['O06 alg none', {}, { alg: 'none' }, 401],
    ['O06 a shared secret', {}, { alg: 'HS256' }, 401],
    ['expired', { exp: 1 }, {}, 401],
    ['not yet valid', { nbf: 9_999_999_999 }, {}, 401],
    ['without a subject', { sub: undefined }, {}, 401],
    ['without an expiry', { exp: undefined }, {}, 401],
  ])('%s', async (_, claims, header, status) => {
    expect(await (await start()).present(claims, header)).toBe(status)
  })

  it.each([
    ['', 401],
    ['\0', 401],
    ['a\0b', 401],
    ['user\u0001', 200],
  ])('a subject of %j is %i', async (sub, status) => {
    expect(await (await start()).present({ sub })).toBe(status)
  })

  it.each<[object, string | number | undefined]>([
    [{ email: 'ana@example.org', email_verified: true }, 'human:ana@example.org'],
    [{ email: 'ana@example.org', email_verified: false }, 'oidc:user-1'],
    [{ email: 'ana@example.org', email_verified: 'true' }, 'human:ana@example.org'],
    [{ email: 'ana@example.org' }, 'oidc:user-1'],
    [{ email: 'Ana@example.org', email_verified: true }, 'human:Ana@example.org'],
    [{ email: 'ana+x@example.org', email_verified: true }, 'human:ana+x@example.org'],
    [{ email: 'аna@example.org', email_verified: true }, 'human:аna@example.org'],
    [{ email: '"ana"@example.org', email_verified: true }, 'oidc:user-1'],
    [{ email: 'ana@example.org.', email_verified: true }, 'oidc:user-1'],
    [{ sub: 'human:ana' }, 'oidc:human%3Aana'],
    [{ sub: 'a b' }, 'oidc:a%20b'],
  ])('O02 O03 O04 %j make %s', async (claims, expected) => {
    expect(await (await start()).principal(claims)).toBe(expected)
  })
})

forSet('oidc-discovery', ['discovery.json'], () => {
  const parsed = parseStrictJson(readFileSync(join(folder, 'oidc-discovery/discovery.json')))
  const cases = (parsed.ok ? parsed.value : []) as unknown as readonly {
    readonly id: string
    readonly configured_issuer: string
    readonly doc: JsonObject
    readonly expect: string
    readonly why: string
  }[]

  it.each(cases.map((each) => [each.id, each.expect, each] as const))(
    'O07 %s: %s',
    (_, expectation, { configured_issuer, doc }) => {
      const address = jwksAddress({ issuer: configured_issuer, audience: 'svc' }, doc)
      if (expectation === 'accept') expect(address).toBe(doc['jwks_uri'])
      if (expectation === 'reject') expect(address).toBeUndefined()
    },
  )
})

it.each([
  ['https://idp.example/jwks', true],
  ['https://idp.example.evil.example/jwks', false],
  ['https://idp.example:8443/jwks', false],
  ['https://keys.example/jwks', true],
  ['https://keys.example.evil.example/jwks', false],
])('O07 keys of https://idp.example, which may have them at https://keys.example, are read from %s: %s', (jwks_uri, isRead) => {
  const options = { issuer: 'https://idp.example', audience: 'svc', jwksOrigins: ['https://keys.example'] }
  expect(jwksAddress(options, { issuer: options.issuer, jwks_uri })).toBe(isRead ? jwks_uri : undefined)
}) // prettier-ignore

describe('a hostile provider', () => {
  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024))
  const redirect =
    (to: string): Respond =>
    (_, response) =>
      void response.writeHead(302, { location: to }).end()

  const endless: Respond = (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).write('{')
    const dripping = setInterval(() => response.write(' '), 1000)
    response.on('close', () => clearInterval(dripping))
  }

  it.each<[string, (at: (path: string, respond: Respond) => void) => void]>([
    ['O08 t0 that redirects its metadata', (at) => at(provider.METADATA, redirect('/other'))],
    ['O08 t1 that redirects its keys to a metadata service', (at) => at('/jwks', redirect('http://169.254.169.254/'))],
    ['O09 t2 with 10 MB of keys', (at) => at('/jwks', json({ keys: [], pad: 'x'.repeat(10_000_000) }))],
    [
      'O09 t5 with a gzip bomb',
      (at) =>
        at(
          '/jwks',
          (_, response) =>
            void response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(bomb),
        ),
    ],
    ['t6 that says HTML', (at) => at('/jwks', json({ keys: [provider.key.jwk] }, 'text/html'))],
    [
      't7 with broken JSON',
      (at) =>
        at('/jwks', (_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{')),
    ],
    ['t9 with 100,000 keys', (at) => at('/jwks', json({ keys: Array.from({ length: 100_000 }, () => ({})) }))],
    ['t9 with 101 keys', (at) => at('/jwks', json({ keys: Array.from({ length: 101 }, () => provider.key.jwk) }))],
    ['that fails', (at) => at(provider.METADATA, (_, response) => void response.writeHead(500).end())],
  ])('%s gets nobody in', async (_, prepare) => {
    prepare((path, respond) => provider.answers.set(path, respond))
    const { present } = await start()
    expect(await present()).toBe(503)
    expect(provider.hits.includes('/other')).toBe(false)
  })

  it.each<[string, object]>([
    ['t12 a shared secret', { kty: 'oct', k: 'c2VjcmV0', kid: 'k1', alg: 'HS256' }],
    [
      't13 a point off the curve',
      {
        kty: 'EC',
        crv: 'P-256',
        x: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
        y: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAE',
        kid: 'k1',
      },
    ],
    ['t14 a key for encryption', { use: 'enc' }],
    ['t15 a key with operations for encryption', { key_ops: ['encrypt'] }],
  ])('with %s gets nobody in', async (_, change) => {
    const { alg: _alg, use: _use, ...jwk } = provider.key.jwk as { alg?: string; use?: string }
    provider.answers.set('/jwks', json({ keys: [{ ...jwk, ...change }] }))
    expect(await (await start()).present()).toBe(401)
  })

  it.each<[string, string, Respond]>([
    ['O09 t4 that is silent', 'metadata', () => undefined],
    ['O09 t4 that is silent about its keys', 'keys', () => undefined],
    ['O09 t3 whose body never ends', 'keys', endless],
  ])(
    '%s holds nobody up: 5 s in all, and others are served meanwhile',
    async (_, about, respond) => {
      provider.answers.set(about === 'keys' ? '/jwks' : provider.METADATA, respond)
      const { present, call } = await start()
      const started = performance.now()
      const waiting = present()
      expect((await call('GET', '/-/live')).status).toBe(200)
      expect(await waiting).toBe(503)
      expect(performance.now() - started).toBeLessThan(8000)
    },
    15_000,
  )

  it('O09 t8 that fails once lets people in after the cooldown', async () => {
    const { present, shift } = await start()
    const sound = provider.answers.get('/jwks')!
    provider.answers.set('/jwks', (_, response) => void response.writeHead(500).end())
    expect(await present()).toBe(503)
    provider.answers.set('/jwks', sound)
    expect(await present()).toBe(503)
    shift(31_000)
    expect(await present()).toBe(200)
  })

  it('O10 t19 that forbids caching is not asked more often for that', async () => {
    provider.answers.set('/jwks', (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'max-age=0, no-store' })
      response.end(JSON.stringify({ keys: [provider.key.jwk] }))
    })
    const { present } = await start()
    const answers = await Promise.all(Array.from({ length: 200 }, () => present()))
    expect(new Set(answers)).toEqual(new Set([200]))
    expect(provider.hits.filter((path) => path === '/jwks').length).toBe(1)
  })

  it('O10 t17 is asked once in a cooldown, however many unknown keys are named', async () => {
    const { present } = await start()
    expect(await present()).toBe(200)
    const stranger = fakeKey('unknown')
    await Promise.all(Array.from({ length: 1000 }, () => present({}, {}, stranger)))
    expect(provider.hits.filter((path) => path === '/jwks').length).toBe(1)
  })

  it('O12 rotates: a new key works after the cooldown, a removed one stops', async () => {
    const { present, shift } = await start()
    expect(await present()).toBe(200)
    const next = fakeKey('k2')
    provider.answers.set('/jwks', json({ keys: [next.jwk] }))
    shift(31_000)
    expect(await present({ exp: 9_999_999_999 }, {}, next)).toBe(200)
    expect(await present({ exp: 9_999_999_999 })).toBe(401)
  })

  it('O12 rotates while the clock is set back', async () => {
    const { present, shift } = await start()
    expect(await present()).toBe(200)
    const next = fakeKey('k2')
    provider.answers.set('/jwks', json({ keys: [next.jwk] }))
    shift(-3600_000)
    expect(await present({ iat: 0 }, {}, next)).toBe(200)
    expect(await present({ iat: 0 })).toBe(401)
  })

  it('O11 t18 that goes down: known keys count for an hour, then nobody gets in', async () => {
    const { present, shift } = await start()
    const lasting = { exp: 9_999_999_999 }
    expect(await present(lasting)).toBe(200)
    provider.answers.clear()
    shift(50 * 60_000)
    expect(await present(lasting)).toBe(200)
    shift(11 * 60_000)
    expect(await present(lasting)).toBe(503)
  })
})

it('every transport scenario of the set is a test under its id', () => {
  const scenarios = JSON.parse(readFileSync('test/vectors/oidc-discovery/transport-scenarios.json', 'utf8')) as { id: string }[]
  const source = readFileSync('test/runtime/oidc/hostile.test.ts', 'utf8')
  expect(scenarios.map(({ id }) => id).filter((id) => !new RegExp(`['" ]${id} `, 'u').test(source))).toEqual([])
}) // prettier-ignore

it.each<[string, () => unknown, string | number]>([
  ['a list', () => ({ scopes: ['travel.search'] }), 'oidc:user-1'],
  ['a promise of a list', async () => ({ scopes: ['travel.search'] }), 'oidc:user-1'],
  ['a list, late but in time', () => sleep(5, { scopes: ['travel.search'] }), 'oidc:user-1'],
  ['a list and another principal', () => ({ scopes: ['travel.search'], principal: 'human:root' }), 'oidc:user-1'],
  ['a list without the scope', () => ({ scopes: [] }), 403],
  ['a promise of a list without the scope', async () => ({ scopes: [] }), 403],
  ['a text', () => ({ scopes: 'travel.search' }), 401],
  ['a list of no texts', () => ({ scopes: [7] }), 401],
  ['classes and no list', () => ({ caller_classes: ['partner'] }), 401],
  ['undefined', () => undefined, 401],
  ['null', () => null, 401],
  ['an empty object', () => ({}), 401],
  ['a promise of nothing', async () => undefined, 401],
  ['an exception', () => { throw new Error('no') }, 401],
  ['a rejection', () => Promise.reject(new Error('no')), 401],
  ['nothing, ever', () => new Promise(() => undefined), 401],
])('N04 O13 an entitlements hook that gives %s', async (_, entitlements, expected) => {
  const { principal } = await start({ entitlements: entitlements as never }, { authenticateTimeoutMs: 50 })
  expect(await principal({})).toBe(expected)
}) // prettier-ignore

it.each([null, false, 'scopes', {}])('N04 entitlements that are %j keep a service from starting', async (entitlements) => {
  const oidc = [{ issuer: 'https://idp.example', audience: 'svc', entitlements: entitlements as never }]
  await expect(startFixture({ oidc })).rejects.toThrow(
    'The entitlements of https://idp.example must be a function of its claims, or be left out.',
  )
  const claims = { scopes: ['travel.search'], roles: ['operator'] }
  expect(await entitled(oidc[0]!, claims, 'human:ana', metAt(Date.now))).toBeUndefined()
}) // prettier-ignore

describe('the issuer', () => {
  it.each([
    'http://idp.example',
    'ftp://idp.example',
    'idp.example',
    'https://user@idp.example',
    'https://idp.example?x=1',
  ])('%s is refused at start', async (issuer) => {
    await expect(startFixture({ oidc: [{ issuer, audience: 'svc' }] })).rejects.toThrow('must be an https address')
  })

  it('may name further clients whose tokens count', async () => {
    const { present } = await start({ clients: ['web', 'cli'] })
    for (const azp of ['web', 'cli', 'svc']) expect(await present({ azp })).toBe(200)
    expect(await present({ aud: ['svc', 'other'], azp: 'other' })).toBe(401)
  })

  it('vouches to a console for ID tokens of that console, not for those of its further clients', async () => {
    const { service } = await start({ clients: ['web'] })
    const shown = (azp: string) => jwt(provider.key, provider.claims({ aud: ['console', 'web'], azp }), { typ: 'JWT' })
    const [issuer] = service.providers
    expect(await issuer!.vouchedFor(shown('web'), 'console')).toBeUndefined()
    expect(await issuer!.vouchedFor(shown('console'), 'console')).toMatchObject({ principal: 'oidc:user-1' })
  })

  it.each([
    ['ana@example.org', 'human:ana@example.org'],
    ['ana@EXAMPLE.org', 'human:ana@EXAMPLE.org'],
    ['ana@evilexample.org', 'oidc:user-1'],
    ['ana@guests.example.org', 'oidc:user-1'],
    ['ana@example.org.evil.example', 'oidc:user-1'],
  ])('N02 may vouch for the addresses of a domain: %s is %s', async (email, expected) => {
    const { principal } = await start({ emailDomains: ['example.org'] })
    expect(await principal({ email, email_verified: true })).toBe(expected)
  })

  it('may want ID tokens, for this client only', async () => {
    const { present } = await start({ tokens: 'id' })
    expect(await present({ nonce: 'n', azp: 'svc' }, { typ: 'JWT' })).toBe(200)
    expect(await present({ nonce: 'n', azp: 'other' }, { typ: 'JWT' })).toBe(401)
    expect(await present({}, { typ: 'at+jwt' })).toBe(401)
  })
})

describe('a client that may renew its sign-in', () => {
  it('is told 401, not 429, beside others that guess from its address', async () => {
    const { call } = await start({}, { badCredentialsPerMinute: 1 })
    const tried = async (bearer: string): Promise<number> =>
      (await call('POST', '/svc/tokens', { bearer, client: '203.0.113.7', body: { scope: ['travel.search'] } })).status
    const signedIn = (claims: object, key: FakeKey = provider.key) => tried(jwt(key, provider.claims(claims)))
    expect([await tried('guess'), await tried('guess')]).toEqual([401, 429])
    expect([await signedIn({ exp: 1 }), await signedIn({ exp: 1 })]).toEqual([401, 401])
    expect(await signedIn({ exp: 1, aud: 'other' })).toBe(429)
    expect(await signedIn({ exp: 1 }, { ...fakeKey('k1') })).toBe(429)
  })

  it('is told when to come back while the provider is away', async () => {
    const { post } = await start()
    provider.answers.clear()
    const reply = await post('/svc/tokens', jwt(provider.key, provider.claims()), { scope: ['travel.search'] })
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '30'])
  })
})

it('an address counts by its domain, whichever way that is written', async () => {
  const { principal } = await start({ emailDomains: ['xn--mnchen-3ya.example', 'bücher.example'] })
  const named = (email: string) => principal({ email, email_verified: true })
  expect(await named('ana@münchen.example')).toBe('human:ana@münchen.example')
  expect(await named('ana@xn--bcher-kva.example')).toBe('human:ana@xn--bcher-kva.example')
  expect(await named('ana@munchen.example')).toBe('oidc:user-1')
})

it.each([
  ['an unknown issuer', 'https://evil.example'],
  ['no issuer', undefined],
])('a token of %s is one line of the log, without its value', async (_, iss) => {
  const { present, logged } = await start()
  for (let turn = 0; turn < 9; turn++) await present({ iss })
  const lines = logged.filter((line) => line.startsWith('A token of another issuer'))
  expect(lines.length).toBe(5)
  expect(lines[0]).toContain(`{"failed":"iss","issuers":["${provider.issuer}"]}`)
  expect(logged.join()).not.toContain('evil.example')
})
