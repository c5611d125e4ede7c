/** N33: whatever stands in the place of a text in a provider's token, the token counts not, and nothing breaks. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startFixture } from '../runtime/fixture/service.js'
import { fakeProvider, json, jwt } from '../runtime/oidc/fake-provider.js'

let provider: Awaited<ReturnType<typeof fakeProvider>>
let fixture: Awaited<ReturnType<typeof startFixture>>
beforeAll(async () => {
  provider = await fakeProvider()
  const oidc = [{ issuer: provider.issuer, audience: 'svc', clients: ['web'], alias: 'idp' }]
  fixture = await startFixture({ clock: Date.now, oidc, limits: { badCredentialsPerMinute: 100_000 } })
})
afterAll(() => provider.close())

const present = async (claims: object, header: object = {}, options = {}): Promise<number> => {
  const token = jwt(provider.key, provider.claims(claims), header)
  const { post } = Object.keys(options).length === 0 ? fixture : await startFixture({ clock: Date.now, oidc: [{ issuer: provider.issuer, audience: 'svc', ...options }] }) // prettier-ignore
  return (await post('/svc/tokens', token, { scope: ['travel.search'] })).status
}

const NO_TEXT: readonly unknown[] = [1, 1.5, true, false, null, [], ['svc'], {}, { toString: 'svc' }]
/** Members that svc reads as texts. */
const HEADER = ['alg', 'typ', 'kid', 'cty']
const CLAIMS = ['iss', 'sub', 'azp', 'client_id', 'cid', 'appid', 'typ', 'token_use', 'token_type']
/** Those that are times, and those that must not be there at all. */
const TIMES = ['exp', 'nbf', 'iat'].flatMap((name) => ['1', true, null, [], {}].map((value) => [name, value] as const))
const KINDS = ['cnf', 'events', 'htm', 'at_hash', 'act'].flatMap((name) => NO_TEXT.map((value) => [name, value] as const)) // prettier-ignore

const times = (names: readonly string[]) => names.flatMap((name) => NO_TEXT.map((value) => [name, value] as const))

describe('N33: a member that is no text', () => {
  it.each(times(HEADER))('%s of the header: %j', async (name, value) => {
    expect(await present({}, { [name]: value })).toBe(401)
  })

  it.each([...times(CLAIMS), ...TIMES, ...KINDS])('%s of the claims: %j', async (name, value) => {
    expect(await present({ [name]: value })).toBe(401)
  })

  it.each(NO_TEXT.filter((value) => !Array.isArray(value) || value.length === 0))('an audience: %j', async (aud) => {
    expect(await present({ aud })).toBe(401)
  })

  it.each(times(['email', 'email_verified']).filter(([name, value]) => name === 'email' || value !== true))(
    '%s: %j names nobody by an address: the subject counts',
    async (name, value) => {
      const claims = { email: 'ana@example.org', email_verified: true, [name]: value }
      const token = jwt(provider.key, provider.claims(claims))
      const { status, body } = await fixture.post('/svc/tokens', token, { scope: ['travel.search'] })
      const [root] = (await fixture.storage.tokens.chain(body['token_id'] as unknown as string))!
      expect([status, root.claims.sub]).toEqual([200, 'oidc:idp/user-1'])
    },
  )
})

describe('N33: a claim that tells the kind of a token', () => {
  it.each([
    ...['ID', 'id', 'Refresh', 'Offline', 'Logout', 'id_token', 'refresh', 'verify', ''].flatMap((kind) =>
      ['typ', 'token_use', 'token_type'].map((name) => [name, kind, 401] as const),
    ),
    ['typ', 'Bearer', 200],
    ['typ', 'at+jwt', 200],
    ['token_use', 'access', 200],
    ['token_type', 'Bearer', 200],
    ['token_type', 'access', 200],
  ] as const)('%s: %s is an access token: %i', async (name, kind, status) => {
    expect(await present({ [name]: kind })).toBe(status)
  })

  it.each([
    ['typ', 'ID', 200],
    ['token_use', 'id', 200],
    ['typ', 'Bearer', 401],
    ['token_use', 'access', 401],
    ['token_type', 'refresh', 401],
  ] as const)('%s: %s is an ID token: %i', async (name, kind, status) => {
    expect(await present({ [name]: kind }, { typ: 'JWT' }, { tokens: 'id' })).toBe(status)
  })
})

it('N32 tells in the log which option decides about a token of another kind', async () => {
  await present({ token_use: 'id' })
  expect(fixture.logged.join()).toContain('"failed":"token_use","option":"tokens"')
})

describe('N32: a provider whose metadata does not list public subjects names people by another claim', () => {
  it.each<[unknown, number]>([
    [undefined, 200],
    [['public'], 200],
    [['pairwise', 'public'], 200],
    [['pairwise'], 401],
    ['pairwise', 401],
    ['public', 401],
    [[], 401],
    [null, 401],
    [{ public: true }, 401],
    [[['public']], 401],
  ])('subject_types_supported: %j: %i', async (types, status) => {
    const { issuer, answers, METADATA } = provider
    const metadata = { issuer, jwks_uri: `${issuer}/jwks`, subject_types_supported: types }
    answers.set(METADATA, json(metadata))
    expect(await present({}, {}, { alias: 'other' })).toBe(status)
    expect(await present({ oid: 'o-1' }, {}, { subjectClaim: 'oid' })).toBe(200)
  })
})
