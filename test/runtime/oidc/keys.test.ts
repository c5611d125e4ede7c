/** The keys of an identity provider: how long they count, when they are read anew, and which tokens they verify. */
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { verifyOidcToken } from '../../../src/crypto/jws/oidc-token.js'
import { identityProvider } from '../../../src/runtime/credentials/oidc/bootstrap.js'
import { providerFetch } from '../../../src/runtime/credentials/oidc/provider-fetch.js'
import { jwksAddress, providerOf } from '../../../src/runtime/credentials/oidc/provider.js'
import { fakeKey, fakeProvider, json, jwt, type Respond } from './fake-provider.js'
import { metAt } from './met.js'

const MINUTE = 60_000
let provider: Awaited<ReturnType<typeof fakeProvider>>
beforeEach(async () => void (provider = await fakeProvider()))
afterEach(() => provider.close())

/** What is known of the provider, by a clock that a test sets; and how often its keys were asked for. */
function known(more: object = {}) {
  const time = { now: Date.parse('2026-03-01T12:00:00.000Z') }
  const options = { issuer: provider.issuer, audience: 'svc', ...more }
  const { keys, newerKeys } = providerOf(options, { ...metAt(() => time.now), fetch: providerFetch(options) })
  const asked = () => provider.hits.filter((path) => path === '/jwks').length
  return { keys: async () => (await keys())?.length, newerKeys: async () => (await newerKeys())?.length, time, asked }
}
const fails = () => provider.answers.set('/jwks', (_, response) => void response.writeHead(500).end())

describe('keys', () => {
  it.each([
    [10 * MINUTE - 1, 1],
    [10 * MINUTE, 2],
    [1 - 10 * MINUTE, 1],
    [-10 * MINUTE, 2],
  ])('that were read %i ms ago have been asked for %i times', async (passed, times) => {
    const { keys, time, asked } = known()
    await keys()
    time.now += passed
    expect([await keys(), asked()]).toEqual([1, times])
  })

  it.each([
    [60 * MINUTE - 1, 1],
    [60 * MINUTE, undefined],
    [1 - 60 * MINUTE, 1],
    [-60 * MINUTE, undefined],
  ])('of a provider that is down since count %i ms later: %j', async (passed, count) => {
    const { keys, time } = known()
    await keys()
    fails()
    time.now += passed
    expect(await keys()).toBe(count)
  })

  it.each([
    [30_000 - 1, 1],
    [30_000, 2],
    [1 - 30_000, 1],
    [-30_000, 2],
  ])('newer ones, %i ms later, have been asked for %i times', async (passed, times) => {
    const { keys, newerKeys, time, asked } = known()
    await keys()
    time.now += passed
    provider.answers.set('/jwks', json({ keys: [provider.key.jwk, fakeKey('k2').jwk] }))
    expect([await newerKeys(), asked()]).toEqual([times, times])
  })

  it('are as fresh as they were when they came, and no fresher by an attempt that failed', async () => {
    const { keys, time, asked } = known()
    await keys()
    fails()
    for (const minute of [10, 20, 59]) {
      time.now = Date.parse('2026-03-01T12:00:00.000Z') + minute * MINUTE
      expect(await keys()).toBe(1)
    }
    time.now += MINUTE
    expect([await keys(), asked()]).toEqual([undefined, 5])
  })

  it.each<[string, readonly unknown[], number | undefined]>([
    ['for encryption are left out', [{ use: 'enc' }, { use: 'sig' }, {}], 2],
    ['that are no objects are left out', ['key', null, 7, [], {}], 1],
    ['may be a hundred', Array.from({ length: 100 }, () => ({})), 100],
    ['are none where they are more', Array.from({ length: 101 }, () => ({})), undefined],
  ])('%s', async (_, listed, count) => {
    provider.answers.set('/jwks', json({ keys: listed }, 'application/jwk-set+json'))
    expect(await known().keys()).toBe(count)
  })

  it.each([
    '/tenant/.well-known/openid-configuration',
    '/.well-known/oauth-authorization-server/tenant',
    '/.well-known/openid-configuration/tenant',
    '/tenant/.well-known/oauth-authorization-server',
  ])('of an issuer with a path are found by %s', async (path) => {
    const issuer = `${provider.issuer}/tenant`
    provider.answers.clear()
    provider.answers.set(path, json({ issuer, jwks_uri: `${provider.issuer}/jwks` }))
    provider.answers.set('/jwks', json({ keys: [provider.key.jwk] }))
    expect(await known({ issuer }).keys()).toBe(1)
  })

  it.each([
    ['application/jwk-set+json; charset=utf-8', 1],
    ['text/json', 1],
    ['text/plain; charset=utf-8', 1],
    ['binary/octet-stream', 1],
    ['application/octet-stream', 1],
    ['text/html', undefined],
    ['application/javascript', undefined],
  ])('of the type %s are read: %j', async (type, count) => {
    provider.answers.set('/jwks', json({ keys: [provider.key.jwk] }, type))
    expect(await known().keys()).toBe(count)
  })

  it.each<[string, string, Respond, string]>([
    ['no metadata', '/.well-known/openid-configuration', (_, response) => void response.writeHead(404).end(), '"failed":"metadata"'],
    ['metadata of another issuer', '/.well-known/openid-configuration', json({ issuer: 'https://evil.example' }), '"failed":"issuer"'],
    ['keys elsewhere', '/.well-known/openid-configuration', (request, response) => json({ issuer: `http://${request.headers.host}`, jwks_uri: 'https://keys.example/' })(request, response), '"failed":"jwks_uri"'],
    ['an error for keys', '/jwks', (_, response) => void response.writeHead(500).end(), '/jwks":"status 500"'],
    ['a page for keys', '/jwks', json({}, 'text/html'), '/jwks":"type text/html"'],
    ['keys that are no JSON', '/jwks', (_, response) => void response.writeHead(200, { 'content-type': 'text/plain' }).end('{'), '/jwks":"no JSON object"'],
  ])('that are not given are a line of the log: %s', async (_, path, respond, line) => {
    provider.answers.set(path, respond)
    const lines: string[] = []
    const options = { issuer: provider.issuer, audience: 'svc' }
    const met = metAt(Date.now)
    const log = { ...met.log, warn: (message: string, fields?: object) => void lines.push(message + JSON.stringify(fields)) }
    await providerOf(options, { ...met, log, fetch: providerFetch(options) }).keys()
    expect(lines).toEqual([expect.stringContaining('The identity provider gives no keys.')])
    expect(lines[0]).toContain(line)
  }) // prettier-ignore

  it('are found by the metadata of an authorization server, where there is no other', async () => {
    provider.answers.delete(provider.METADATA)
    const metadata = { issuer: provider.issuer, jwks_uri: `${provider.issuer}/jwks` }
    provider.answers.set('/.well-known/oauth-authorization-server', json(metadata))
    expect(await known().keys()).toBe(1)
  })

  it('are found where the issuer ends with a slash', async () => {
    const issuer = `${provider.issuer}/`
    provider.answers.set(provider.METADATA, json({ issuer, jwks_uri: `${provider.issuer}/jwks` }))
    expect(await known({ issuer }).keys()).toBe(1)
  })

  it('longer than a mebibyte are none', async () => {
    const text = JSON.stringify({ keys: [provider.key.jwk] })
    const padded = (length: number) => provider.answers.set('/jwks', (_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(text.padEnd(length))) // prettier-ignore
    padded(1024 * 1024)
    expect(await known().keys()).toBe(1)
    padded(1024 * 1024 + 1)
    expect(await known().keys()).toBeUndefined()
  })
})

const OPTIONS = { issuer: 'https://id.example', audience: 'svc', jwksOrigins: ['https://keys.example'] }
const KEYS = 'https://id.example/keys'

it.each<[object, string | undefined]>([
  [{}, KEYS],
  [{ jwks_uri: 'https://keys.example/k' }, 'https://keys.example/k'],
  [{ jwks_uri: 'https://other.example/k' }, undefined],
  [{ jwks_uri: 'https://me@id.example/keys' }, undefined],
  [{ jwks_uri: 'https://:pw@id.example/keys' }, undefined],
  [{ jwks_uri: `${KEYS}\n` }, undefined],
  [{ issuer: 'https://id.example/' }, undefined],
  [{ id_token_signing_alg_values_supported: ['none', 'HS256'] }, undefined],
  [{ id_token_signing_alg_values_supported: ['HS512'] }, undefined],
  [{ id_token_signing_alg_values_supported: ['none', 'ES256'] }, KEYS],
  [{ id_token_signing_alg_values_supported: 'ES256' }, undefined],
])('metadata with %j leads to keys at %j', (more, address) => {
  expect(jwksAddress(OPTIONS, { issuer: 'https://id.example', jwks_uri: KEYS, ...more })).toBe(address)
})

describe('a token', () => {
  const NOW = 1_900_000_000
  const expected = { issuer: 'https://id.example', audience: 'svc', now: NOW * 1000, toleranceSeconds: 5 }
  const CLAIMS = { iss: 'https://id.example', aud: 'svc', sub: 'user-1', exp: NOW + 60 }

  it.each(['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'])('may be signed by %s', async (alg) => {
    const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true })
    const signed = await new SignJWT(CLAIMS).setProtectedHeader({ alg, kid: 'k' }).sign(privateKey)
    const keys = [{ ...(await exportJWK(publicKey)), kid: 'k' }] as never
    expect((await verifyOidcToken(signed, { ...expected, keys })).ok).toBe(true)
    const other = [{ ...(await exportJWK((await generateKeyPair(alg)).publicKey)), kid: 'k' }] as never
    expect(await verifyOidcToken(signed, { ...expected, keys: other })).toEqual({ ok: false, failed: 'signature' })
  }) // prettier-ignore

  it.each<[object, boolean]>([
    [{ exp: NOW - 4 }, true],
    [{ exp: NOW - 5 }, false],
    [{ nbf: NOW + 5 }, true],
    [{ nbf: NOW + 6 }, false],
    [{ exp: undefined }, false],
    [{ sub: undefined }, false],
  ])('with %j counts: %s', async (more, counts) => {
    const key = fakeKey('k')
    const verdict = await verifyOidcToken(jwt(key, { ...CLAIMS, ...more }), { ...expected, keys: [key.jwk] as never })
    expect(verdict.ok).toBe(counts)
  })

  it('that names no key counts by any of the keys; newer ones are asked for where none verifies it', async () => {
    const [first, second, stranger] = [fakeKey('a'), fakeKey('b'), fakeKey('c')]
    const keys = [first.jwk, second.jwk] as never
    const verdictOf = (key: typeof first, header: object) =>
      verifyOidcToken(jwt(key, CLAIMS, header), { ...expected, keys })
    expect((await verdictOf(second, { kid: undefined })).ok).toBe(true)
    expect(await verdictOf(stranger, { kid: undefined })).toEqual({ ok: false, failed: 'kid' })
    expect(await verdictOf(stranger, {})).toEqual({ ok: false, failed: 'kid' })
  })

  it('counts by a key that has no id of its own', async () => {
    const [first, second] = [fakeKey('a'), fakeKey('b')]
    const keys = [{ ...first.jwk, kid: undefined }, second.jwk].map((key) => JSON.parse(JSON.stringify(key)) as object)
    expect((await verifyOidcToken(jwt(first, CLAIMS), { ...expected, keys: keys as never })).ok).toBe(true)
    expect((await verifyOidcToken(jwt(second, CLAIMS), { ...expected, keys: keys as never })).ok).toBe(true)
  })

  it.each<[object, object, boolean]>([
    [{}, { typ: 'at+jwt' }, true],
    [{}, { typ: 'AT+JWT' }, true],
    [{}, { typ: 'application/at+jwt' }, true],
    [{}, { typ: 'JWT' }, true],
    [{}, { typ: undefined }, true],
    [{}, { typ: 'logout+jwt' }, false],
    [{ nonce: 'n' }, { typ: 'JWT' }, false],
    [{ nonce: 'n', typ: 'ID' }, { typ: 'JWT' }, false],
    [{ nonce: 'n', typ: 'Bearer' }, { typ: 'JWT' }, true],
    [{ nonce: 'n', typ: 'Bearer', at_hash: 'h' }, { typ: 'JWT' }, false],
    [{ nonce: 'n' }, { typ: 'at+jwt' }, true],
    [{ cnf: { jkt: 'k' } }, {}, false],
    [{ cnf: null }, { typ: 'JWT' }, false],
    [{ at_hash: 'h' }, { typ: 'JWT' }, false],
    [{ c_hash: 'h' }, { typ: 'JWT' }, false],
    [{ s_hash: 'h' }, { typ: 'JWT' }, false],
    [{ events: {} }, { typ: 'JWT' }, false],
    [{ htm: 'POST' }, { typ: 'JWT' }, false],
  ])('with %j under %j is an access token: %s', async (claims, header, isOne) => {
    const { bootstrap } = identityProvider({ issuer: provider.issuer, audience: 'svc' }, metAt(Date.now))
    expect((await bootstrap(jwt(provider.key, provider.claims(claims), header))) !== undefined).toBe(isOne)
  })

  it.each<[object, string | undefined]>([
    [{ azp: 'desk' }, 'agent:desk'],
    [{ client_id: 'desk' }, 'agent:desk'],
    [{ cid: 'desk' }, 'agent:desk'],
    [{ azp: 'desk', cid: 'desk' }, 'agent:desk'],
    [{ appid: 'desk' }, 'agent:desk'],
    [{ azp: 'desk', cid: 'other' }, undefined],
    [{ azp: 'desk', appid: 'other' }, undefined],
    [{ client_id: 'desk', cid: 7 }, undefined],
    [{}, undefined],
  ])('that was given to %j is of the agent %s', async (claims, agent) => {
    const { signedIn } = identityProvider({ issuer: provider.issuer, audience: 'svc', tokens: 'id' }, metAt(Date.now))
    const token = (more: object) => jwt(provider.key, provider.claims({ aud: 'https://svc.example/mcp', ...claims, ...more }))
    expect((await signedIn!(token({}), 'https://svc.example/mcp'))?.agent).toBe(agent)
    expect(await signedIn!(token({ at_hash: 'h' }), 'https://svc.example/mcp')).toBeUndefined()
    expect(await signedIn!(token({ aud: 'svc' }), 'https://svc.example/mcp')).toBeUndefined()
  }) // prettier-ignore
})
