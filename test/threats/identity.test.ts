/** One person under several names, several people under one name, and credentials that are limited (section 5.6). */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sha256Hex } from '../../src/crypto/json/digest.js'
import type { ApiKey, OidcOptions } from '../../src/runtime/index.js'
import type { Storage } from '../../src/runtime/storage/contract.js'
import { openPostgres } from '../../src/runtime/storage/postgres/index.js'
import { openSqlite } from '../../src/runtime/storage/sqlite/index.js'
import { capability } from '../runtime/fixture/manifest.js'
import { startFixture, type Fixture, type Given } from '../runtime/fixture/service.js'
import { fakeProvider, jwt } from '../runtime/oidc/fake-provider.js'
import { startPostgres, type PostgresServer } from '../runtime/storage/postgres-server.js'

type Provider = Awaited<ReturnType<typeof fakeProvider>>

const grant_policy = {
  allowed_grant_types: ['one_time'],
  default_grant_type: 'one_time',
  expires_in_seconds: 60,
  max_uses: 1,
} as const
const capabilities = {
  search: capability(),
  book: capability({
    minimum_scope: ['travel.book'],
    side_effect: { type: 'irreversible' },
    approval: { required: 'always', grant_policy },
  }),
}

const SCOPES = ['travel.search', 'travel.book', 'approver:book']
const key = (id: string, principal: ApiKey['principal'], more: Partial<ApiKey> = {}): ApiKey => ({
  id,
  principal,
  sha256: sha256Hex(`${id}-key`),
  ...more,
})

let server: PostgresServer
let made = 0
beforeAll(async () => void (server = await startPostgres(['fsync=off'])), 60_000)
afterAll(() => server.stop())

let providers: Provider[] = []
beforeEach(async () => void (providers = [await fakeProvider(), await fakeProvider()]))
afterEach(() => providers.forEach((each) => each.close()))

const signedIn = (provider: Provider, claims: object): string => jwt(provider.key, provider.claims(claims))
const email = (address: string): object => ({ email: address, email_verified: true })

const STORES: readonly (readonly [string, () => Promise<Storage>])[] = [
  ['SQLite', () => openSqlite({ file: ':memory:' })],
  ['PostgreSQL', async () => openPostgres({ connectionString: await server.database(`identity_${++made}`), schema: 'migrate' })],
] // prettier-ignore

describe.each(STORES)('on %s', (_, open) => {
  let storage: Storage
  beforeEach(async () => void (storage = await open()))
  afterEach(() => storage.close())

  const start = (given: Given = {}) => startFixture({ capabilities, storage, clock: Date.now, ...given })
  const staff = (more: Partial<OidcOptions> = {}): OidcOptions => ({ issuer: providers[0]!.issuer, audience: 'svc', entitlements: () => ({ scopes: SCOPES }), ...more }) // prettier-ignore

  /** Asks for a booking under a credential, and gives the request that waits for an approver. */
  async function asked({ issued, invoke }: Fixture, bearer: string): Promise<string> {
    const { token } = await issued(bearer, { scope: ['travel.book'] })
    return (await invoke('book', token)).body['failure']!['approval_request_id'] as unknown as string
  }

  const decided = async ({ post }: Fixture, id: string, bearer: string) => {
    const denied = await post(`/svc/approval_requests/${id}/deny`, bearer)
    const granted = await post('/svc/approval_grants', bearer, { approval_request_id: id, grant_type: 'one_time' })
    return [denied, granted].map(({ status, body }) => `${status} ${String(body['failure']?.['type'])}`)
  }
  const NEITHER = ['403 approver_not_authorized', '403 approver_not_authorized']

  describe('N01 one person by two names', () => {
    const ana = (claims: object = {}) => signedIn(providers[0]!, { sub: 'user-4711', ...claims })
    const withEmail = () => ana(email('ana@example.org'))

    it.each([
      ['without the e-mail claim, approves with it', () => ana(), withEmail],
      ['with the e-mail claim, approves without it', withEmail, () => ana()],
      ['before a rename, approves after it', withEmail, () => ana(email('ana.b@example.org'))],
      ['by an API key, approves signed in without the e-mail', () => 'ana-key', () => ana()],
      ['signed in without the e-mail, approves by an API key', () => ana(), () => 'ana-key'],
    ])('N01 who asks %s, is refused', async (_name, asking, approving) => {
      const apiKeys = [key('ana', 'human:ana@example.org', { scopes: SCOPES }), key('bob', 'human:bob', { scopes: SCOPES })]
      const fixture = await start({ oidc: [staff()], apiKeys })
      await fixture.issued(withEmail(), { scope: ['travel.search'] })
      const id = await asked(fixture, asking())
      expect(await decided(fixture, id, approving())).toEqual(NEITHER)
      expect((await storage.approvals.get(id))?.status).toBe('pending')
      const lent = await fixture.issued(approving(), { scope: ['approver:book'] })
      expect(await decided(fixture, id, lent.token)).toEqual(NEITHER)
      const [, granted] = await decided(fixture, id, signedIn(providers[0]!, { sub: 'user-2', ...email('bob@example.org') }))
      expect(granted).toBe('409 approval_request_closed')
    }) // prettier-ignore

    it('N01 is known at a decision although it never asked under the other name', async () => {
      const fixture = await start({ oidc: [staff()] })
      const id = await asked(fixture, ana())
      expect(await decided(fixture, id, withEmail())).toEqual(NEITHER)
    })

    it('N01 has one name only, where the provider is told which: a token without the claim is refused', async () => {
      const byEmail = await start({ oidc: [staff({ principal: 'email' })] })
      expect((await byEmail.post('/svc/tokens', ana(), { scope: ['travel.search'] })).status).toBe(401)
      const { token_id } = await byEmail.issued(withEmail(), { scope: ['travel.search'] })
      expect((await storage.tokens.chain(token_id))?.[0]).toMatchObject({
        claims: { sub: 'human:ana@example.org' },
        credential: { issuer: providers[0]!.issuer, subject: 'user-4711' },
      })
      const bySub = await start({ oidc: [staff({ principal: 'sub' })] })
      const other = await bySub.issued(withEmail(), { scope: ['travel.search'] })
      expect((await storage.tokens.chain(other.token_id))?.[0].claims.sub).toBe('oidc:user-4711')
    })

    it('N01 is on the trail with the account behind the name', async () => {
      const fixture = await start({ oidc: [staff()], apiKeys: [key('bob', 'human:bob', { scopes: SCOPES })] })
      const { token } = await fixture.issued(withEmail(), { scope: ['travel.book'] })
      const reply = await fixture.invoke('book', token)
      const id = reply.body['failure']!['approval_request_id'] as unknown as string
      await decided(fixture, id, 'bob-key')
      const account = { issuer: providers[0]!.issuer, subject: 'user-4711' }
      const entries = await fixture.trail(token)
      expect(entries.map(({ entry_type, credential }) => [entry_type, credential])).toEqual(
        expect.arrayContaining([
          ['token_issued', account],
          ['approval_requested', account],
          ['approval_denied', { api_key: 'bob' }],
        ]),
      )
    })
  })

  it('N01 a colleague whom somebody named decides only by a credential of their own', async () => {
    const apiKeys = [key('ana', 'human:ana', { scopes: SCOPES }), key('bob', 'human:bob', { scopes: [] }), key('eve', 'human:eve')]
    const fixture = await start({ apiKeys })
    const id = await asked(fixture, 'eve-key')
    const root = await fixture.issued('ana-key', { scope: ['approver:book'] })
    const named = await fixture.issued(root.token, { scope: ['approver:book'], subject: 'human:bob', parent_token: root.token_id })
    expect(await decided(fixture, id, named.token)).toEqual(NEITHER)
    const drawn = await fixture.issued('bob-key', { scope: ['approver:book'], parent_token: named.token_id })
    const granted = await fixture.post('/svc/approval_grants', drawn.token, { approval_request_id: id, grant_type: 'one_time' })
    expect([granted.status, granted.body['approver']]).toEqual([200, 'human:bob'])
  }) // prettier-ignore

  describe('N02 two providers', () => {
    const both = (): readonly OidcOptions[] => [
      staff({ alias: 'staff', emailDomains: ['example.org'] }),
      { issuer: providers[1]!.issuer, audience: 'svc', alias: 'guests', emailDomains: ['guests.example'], entitlements: () => ({ scopes: ['travel.search'] }) },
    ] // prettier-ignore

    it.each([
      ['the same subject', {}],
      ['an asserted e-mail of the other', email('ana@example.org')],
    ])('N02 a guest with %s is somebody else: no trail, no parent, no revocation', async (_name, claims) => {
      const fixture = await start({ oidc: both() })
      const employee = signedIn(providers[0]!, { sub: 'ana', ...claims })
      const guest = signedIn(providers[1]!, { sub: 'ana', ...claims })
      const theirs = await fixture.issued(employee, { scope: ['travel.book'] })
      const mine = await fixture.issued(guest, { scope: ['travel.search'] })
      const names = await Promise.all([theirs, mine].map(async ({ token_id }) => (await storage.tokens.chain(token_id))?.[0].claims.sub))
      expect(names).toEqual([claims === undefined || Object.keys(claims).length === 0 ? 'oidc:staff/ana' : 'human:ana@example.org', 'oidc:guests/ana'])
      expect((await fixture.trail(mine.token)).map(({ token_id }) => token_id)).toEqual([mine.token_id])
      const child = { scope: ['travel.book'], parent_token: theirs.token_id }
      expect((await fixture.post('/svc/tokens', guest, child)).status).toBe(403)
      expect((await fixture.post('/svc/tokens/revoke', guest, { token_id: theirs.token_id })).status).toBe(403)
      expect((await fixture.post('/svc/tokens/revoke', employee, { token_id: theirs.token_id })).status).toBe(200)
    }) // prettier-ignore

    it('N02 an address that passed to another person opens nothing of the first one', async () => {
      const fixture = await start({ oidc: [staff()] })
      const before = signedIn(providers[0]!, { sub: 'first', ...email('ana@example.org') })
      const after = signedIn(providers[0]!, { sub: 'second', ...email('ana@example.org') })
      const { token_id, token } = await fixture.issued(before, { scope: ['travel.book'] })
      const own = await fixture.issued(token, { scope: ['travel.book'], subject: 'human:ana@example.org', parent_token: token_id }) // prettier-ignore
      for (const parent_token of [token_id, own.token_id])
        expect((await fixture.post('/svc/tokens', after, { scope: ['travel.book'], parent_token })).status).toBe(403)
      expect((await fixture.post('/svc/tokens/revoke', after, { token_id })).status).toBe(403)
      for (const parent_token of [token_id, own.token_id])
        expect((await fixture.post('/svc/tokens', before, { scope: ['travel.book'], parent_token })).status).toBe(200)
      expect((await fixture.post('/svc/tokens/revoke', before, { token_id })).status).toBe(200)
    })

    it('N02 entitlements bound every road: a person who lost a scope gets it from no older token', async () => {
      let scopes = SCOPES
      const fixture = await start({ oidc: [staff({ entitlements: () => ({ scopes }) })] })
      const ana = signedIn(providers[0]!, { sub: 'ana' })
      const { token_id } = await fixture.issued(ana, { scope: ['travel.search', 'travel.book'] })
      scopes = ['travel.search']
      const child = (scope: string) => fixture.post('/svc/tokens', ana, { scope: [scope], parent_token: token_id })
      expect((await child('travel.book')).body['failure']!['type']).toBe('scope_escalation')
      expect((await child('travel.search')).status).toBe(200)
    })
  })

  describe('N03 a limited key', () => {
    const apiKeys = [
      key('wide', 'human:dev', { scopes: SCOPES, caller_classes: ['internal'] }),
      key('narrow', 'human:dev', { scopes: ['travel.search'] }),
      key('none', 'human:dev', { scopes: [] }),
      key('bot', 'agent:bot', { scopes: [] }),
    ]
    const typeOf = (reply: { readonly status: number; readonly body: { readonly [name: string]: unknown } }) =>
      `${reply.status} ${String((reply.body['failure'] as { readonly type?: string } | undefined)?.type)}`

    it('N03 gets no scope and no class by its principal’s wider token that it could not buy', async () => {
      const fixture = await start({ apiKeys })
      const both = ['travel.search', 'travel.book']
      const wide = await fixture.issued('wide-key', { scope: both })
      const classed = await fixture.issued('wide-key', { scope: both, caller_class: 'internal' })
      const child = async (bearer: string, scope: string, parent_token: string) =>
        typeOf(await fixture.post('/svc/tokens', bearer, { scope: [scope], parent_token }))
      expect(await child('narrow-key', 'travel.book', wide.token_id)).toBe('403 scope_escalation')
      expect(await child('none-key', 'travel.search', wide.token_id)).toBe('403 scope_escalation')
      expect(await child('narrow-key', 'travel.search', classed.token_id)).toBe('403 scope_escalation')
      expect(await child('narrow-key', 'travel.search', wide.token_id)).toBe('200 undefined')
      expect(await child('wide-key', 'travel.book', classed.token_id)).toBe('200 undefined')
    })

    it('N03 revokes what lies within its scopes or was bought by it, and nothing wider', async () => {
      const fixture = await start({ apiKeys })
      const wide = await fixture.issued('wide-key', { scope: ['travel.search', 'travel.book'] })
      const small = await fixture.issued('wide-key', { scope: ['travel.search'] })
      const classed = await fixture.issued('wide-key', { scope: ['travel.search'], caller_class: 'internal' })
      const revoke = async (bearer: string, { token_id }: { readonly token_id: string }) =>
        typeOf(await fixture.post('/svc/tokens/revoke', bearer, { token_id }))
      expect(await revoke('narrow-key', wide)).toBe('403 insufficient_authority')
      expect(await revoke('none-key', small)).toBe('403 insufficient_authority')
      expect(await revoke('narrow-key', classed)).toBe('403 insufficient_authority')
      expect(await revoke('narrow-key', small)).toBe('200 undefined')
      expect(await revoke('wide-key', classed)).toBe('200 undefined')
      expect(await revoke('wide-key', wide)).toBe('200 undefined')
    })

    it('N03 reads and lists requests within its scopes and classes, by a token of its own, too', async () => {
      const fixture = await start({ apiKeys: [...apiKeys, key('all', 'human:dev'), key('plain', 'human:dev', { scopes: ['travel.book'] })] })
      const wide = await asked(fixture, 'wide-key')
      const { token } = await fixture.issued('wide-key', { scope: ['travel.book'], subject: 'agent:x', caller_class: 'internal' })
      const classed = (await fixture.invoke('book', token)).body['failure']!['approval_request_id'] as unknown as string
      const own = (await fixture.issued('narrow-key', { scope: ['travel.search'] })).token
      const seen = async (bearer: string) => {
        const listed = (await fixture.call('GET', '/svc/approval_requests', { bearer })).body['approval_requests'] as unknown as readonly { approval_request_id: string }[]
        const read = async (id: string) => (await fixture.call('GET', `/svc/approval_requests/${id}`, { bearer })).status
        return [listed.map((each) => each.approval_request_id), await read(wide), await read(classed)]
      }
      for (const bearer of ['narrow-key', 'none-key', own]) expect(await seen(bearer)).toEqual([[], 404, 404])
      for (const bearer of ['all-key', 'plain-key']) expect(await seen(bearer)).toEqual([[wide], 200, 404])
      const [listed, ...read] = await seen('wide-key')
      expect([new Set(listed as readonly unknown[]), read]).toEqual([new Set([wide, classed]), [200, 200]])
      const withdraw = async (id: string, bearer: string) => typeOf(await fixture.post(`/svc/approval_requests/${id}/withdraw`, bearer))
      for (const bearer of [own, 'all-key', 'plain-key']) expect(await withdraw(classed, bearer)).toBe('404 approval_request_not_found')
      expect(await withdraw(wide, own)).toBe('404 approval_request_not_found')
      expect([await withdraw(wide, 'plain-key'), await withdraw(classed, 'wide-key')]).toEqual(['200 undefined', '200 undefined'])
    }) // prettier-ignore

    it('N03 without scopes ends what it could buy, and no token or grant of an approver', async () => {
      const fixture = await start({ apiKeys: [...apiKeys, key('all', 'human:dev'), key('ana', 'human:ana')] })
      const token_id = async (scope: readonly string[]) => (await fixture.issued('wide-key', { scope })).token_id
      const revoke = async (bearer: string, id: string) => typeOf(await fixture.post('/svc/tokens/revoke', bearer, { token_id: id })) // prettier-ignore
      expect(await revoke('all-key', await token_id(['travel.search', 'travel.book']))).toBe('200 undefined')
      const approver = await token_id(['approver:book'])
      expect([await revoke('all-key', approver), await revoke('wide-key', approver)]).toEqual([
        '403 insufficient_authority',
        '200 undefined',
      ])
      const approval_request_id = await asked(fixture, 'ana-key')
      const { grant_id } = (await fixture.post('/svc/approval_grants', 'wide-key', { approval_request_id })).body
      const takeBack = async (bearer: string) => typeOf(await fixture.post(`/-/approval_grants/${String(grant_id)}/revoke`, bearer)) // prettier-ignore
      expect([await takeBack('all-key'), await takeBack('wide-key')]).toEqual([
        '404 approval_request_not_found',
        '200 undefined',
      ])
    })

    it('N03 withdraws requests and takes grants back within its scopes, and nothing wider', async () => {
      const fixture = await start({ apiKeys: [...apiKeys, key('ana', 'human:ana')] })
      const id = await asked(fixture, 'wide-key')
      const withdraw = async (bearer: string) =>
        typeOf(await fixture.post(`/svc/approval_requests/${id}/withdraw`, bearer))
      expect([await withdraw('narrow-key'), await withdraw('none-key'), await withdraw('wide-key')]).toEqual([
        '404 approval_request_not_found',
        '404 approval_request_not_found',
        '200 undefined',
      ])
      const approval_request_id = await asked(fixture, 'ana-key')
      const given = await fixture.post('/svc/approval_grants', 'wide-key', { approval_request_id })
      const revoke = async (bearer: string) => typeOf(await fixture.post(`/-/approval_grants/${String(given.body['grant_id'])}/revoke`, bearer)) // prettier-ignore
      expect([await revoke('narrow-key'), await revoke('wide-key')]).toEqual([
        '404 approval_request_not_found',
        '200 undefined',
      ])
    })

    it('N03 uses what others delegated to its principal as they bounded it', async () => {
      const fixture = await start({ apiKeys })
      const lent = await fixture.issued('wide-key', { scope: ['travel.book'], subject: 'agent:bot' })
      const own = await fixture.issued('bot-key', { scope: ['travel.book'], parent_token: lent.token_id })
      expect((await storage.tokens.chain(own.token_id))?.[1]?.credential).toEqual({ api_key: 'bot' })
    })
  })
})

it.each<[string, readonly Partial<OidcOptions>[], string]>([
  ['no alias', [{ emailDomains: ['a.example'] }, { alias: 'b', emailDomains: ['b.example'] }], 'needs an alias'],
  ['one alias twice', [{ alias: 'a', principal: 'sub' }, { alias: 'a', principal: 'sub' }], 'have the alias "a"'],
  ['no domains', [{ alias: 'a' }, { alias: 'b', principal: 'sub' }], 'needs emailDomains'],
  ['no domains, by e-mail', [{ alias: 'a', principal: 'email' }, { alias: 'b', principal: 'sub' }], 'needs emailDomains'],
  ['one domain twice', [{ alias: 'a', emailDomains: ['x.org'] }, { alias: 'b', emailDomains: ['y.org', 'x.org'] }], 'have the e-mail domain "x.org"'],
  ['an alias that is none', [{ alias: 'A/b' }], 'the alias "A/b" must be'],
  ['a domain in capitals', [{ emailDomains: ['Example.org'] }], '"Example.org" is no e-mail domain'],
  ['a name that is none', [{ principal: 'name' as never }], 'principal must be'],
])('N02 a service with %s does not start', async (_, parts, message) => {
  const oidc = parts.map((part, n) => ({ issuer: `https://idp${n}.example`, audience: 'svc', ...part }))
  await expect(startFixture({ oidc })).rejects.toThrow(message)
}) // prettier-ignore

it.each<[string, readonly Partial<OidcOptions>[]]>([
  ['one provider without a word', [{}]],
  [
    'two that are told apart',
    [
      { alias: 'a', emailDomains: ['a.example'] },
      { alias: 'b', principal: 'sub' },
    ],
  ],
])('N02 a service with %s starts', async (_, parts) => {
  const oidc = parts.map((part, n) => ({ issuer: `https://idp${n}.example`, audience: 'svc', ...part }))
  await expect(startFixture({ oidc })).resolves.toBeDefined()
})
