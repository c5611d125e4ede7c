/** Which tokens of an identity provider count at /mcp, and what they buy (threat N19; surfaces, credential B). */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { generateRingKey } from '../../src/crypto/keys/key-ring.js'
import { capability } from '../runtime/fixture/manifest.js'
import type { Given } from '../runtime/fixture/service.js'
import { fakeProvider, jwt } from '../runtime/oidc/fake-provider.js'
import { openSqlite } from '../../src/runtime/storage/sqlite/index.js'
import type { McpOptions } from '../../src/runtime/surfaces/mcp/index.js'
import { CAPABILITIES, legacy, modern, type World } from './mcp-world.js'
import { AUDIENCE, PROFILE, startSignIn } from './sign-in-world.js'

let provider: Awaited<ReturnType<typeof fakeProvider>>
beforeEach(async () => void (provider = await fakeProvider()))
afterEach(() => provider.close())

const start = (given: Given = {}, options: McpOptions = {}) => startSignIn(provider as never, given, options)

const ANA = { sub: 'ana', email: 'ana@example.org', email_verified: true, azp: 'editor' }

const accessToken = ({ url }: World, claims: object = {}, header: object = {}) =>
  jwt(provider.key, provider.claims({ ...ANA, aud: `${url}/mcp`, ...claims }), header)

const list = (world: World, bearer: string) =>
  fetch(`${world.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${bearer}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
  })

const bootstraps = async ({ fixture }: World, bearer: string) =>
  (await fixture.post('/svc/tokens', bearer, { scope: ['travel.search'] })).status

describe('a token of the provider counts', () => {
  it('at /mcp for its address, whatever client it was given to; nowhere else', async () => {
    const world = await start()
    const token = accessToken(world)
    expect([(await list(world, token)).status, await bootstraps(world, token)]).toEqual([200, 401])
  })

  it('not at /mcp for the audience of the service', async () => {
    const world = await start()
    const token = accessToken(world, { aud: AUDIENCE, azp: undefined })
    expect([(await list(world, token)).status, await bootstraps(world, token)]).toEqual([401, 200])
  })

  it('at /mcp alone where it is for both, and names a client that the service does not know', async () => {
    const world = await start()
    const token = accessToken(world, { aud: [AUDIENCE, `${world.url}/mcp`] })
    expect([(await list(world, token)).status, await bootstraps(world, token)]).toEqual([200, 401])
  })

  it('at /mcp alone where the service has the address as its audience', async () => {
    const port = { url: 'http://127.0.0.1:4360' } as World
    const world = await startSignIn(
      provider as never,
      { oidc: [{ issuer: provider.issuer, audience: 'https://svc.example/mcp' }] },
      { publicUrl: 'https://svc.example' },
    )
    const token = accessToken(port, { aud: 'https://svc.example/mcp' })
    expect([(await list(world, token)).status, await bootstraps(world, token)]).toEqual([200, 401])
  })
})

describe('a token is refused with 401', () => {
  it.each<[string, object, object?]>([
    ['for another resource', { aud: 'https://other.example/mcp' }],
    ['for the address of the service without /mcp', { aud: 'http://127.0.0.1' }],
    ['that names no client', { azp: undefined }],
    ['that names two clients', { client_id: 'another' }],
    ['whose client is no text', { azp: ['editor'] }],
    ['whose client cannot be a principal', { azp: 'an editor\n' }],
    ['that has expired', { exp: 1 }],
    ['of another issuer', { iss: 'https://evil.example' }],
    ['that is an ID token', { nonce: 'n' }, { typ: 'JWT' }],
    ['that is a logout token', {}, { typ: 'logout+jwt' }],
    ['of another key', {}, { kid: 'k9' }],
    ['that is not signed', {}, { alg: 'none' }],
  ])('%s', async (_, claims, header = {}) => {
    const world = await start()
    const response = await list(world, accessToken(world, claims, header))
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([
      401,
      `Bearer resource_metadata="${world.url}/.well-known/oauth-protected-resource/mcp", error="invalid_token"`,
    ])
  })

  it('without a profile', async () => {
    const world = await start({}, { profile: undefined } as never)
    expect((await list(world, accessToken(world))).status).toBe(401)
  })

  it('and an API key, too; whoever guesses has to wait', async () => {
    const world = await start({ limits: { badCredentialsPerMinute: 2 } })
    const statuses = []
    for (const bearer of ['ana-key', 'ana-key', 'ana-key']) statuses.push((await list(world, bearer)).status)
    expect(statuses).toEqual([401, 401, 429])
  })
})

describe('what an agent is given', () => {
  it('N19: is nothing that a person must do', async () => {
    const personal = capability({ inputs: [], requires_principal: ['human'] })
    const world = await start({
      capabilities: { ...CAPABILITIES, personal } as never,
      handlers: { personal: () => ({}) },
    })
    const token = accessToken(world)
    for (const connect of [legacy, (one: World, bearer: string) => modern(one, { token: bearer })]) {
      const agent = await connect(world, token)
      expect((await agent.list()).map(({ name }) => name)).not.toContain('personal')
      const answer = await agent.call('personal', {})
      expect(answer.structuredContent!['failure']).toMatchObject({ type: 'non_delegable_action' })
    }
  })

  it('is what the profile and the person both allow', async () => {
    const book = capability({ minimum_scope: ['travel.book'] })
    const given = (scopes: readonly string[]) => ({
      capabilities: { ...CAPABILITIES, book } as never,
      handlers: { book: () => ({}) },
      oidc: [{ issuer: provider.issuer, audience: AUDIENCE, entitlements: () => ({ scopes }) }],
    })
    const few = await start(given(['travel.search', 'never.given']), { profile: { scope: ['travel.search', 'travel.book'] } }) // prettier-ignore
    const names = (await (await legacy(few, accessToken(few))).list()).map(({ name }) => name)
    expect([names.includes('search'), names.includes('book'), names.includes('secret')]).toEqual([true, false, false])
    const none = await start(given(['never.given']))
    expect((await list(none, accessToken(none))).status).toBe(403)
  })

  it('has one budget for all calls', async () => {
    const pay = capability({ cost: { certainty: 'fixed', financial: { currency: 'EUR', amount: 60 } } } as never)
    const world = await start({ capabilities: { pay } as never, handlers: { pay: () => ({}) } })
    const agent = await legacy(world, accessToken(world))
    const first = await agent.call('pay', {})
    const second = await agent.call('pay', {})
    expect(first.structuredContent).toEqual({})
    expect(second.structuredContent!['failure']).toMatchObject({ type: 'budget_exceeded' })
  })

  it('H1: says whose account bought it, so that no other name of theirs can approve', async () => {
    const storage = await openSqlite({ file: ':memory:' })
    const world = await start({ storage })
    await (await legacy(world, accessToken(world))).call('search', { city: 'Faro' })
    const [bought] = (await storage.tokens.chain(await tokenIdOf(world)))!
    expect(bought.credential).toEqual({ issuer: provider.issuer, subject: 'ana' })
  })

  it('ends for good when it is revoked, and with the access token', async () => {
    const storage = await openSqlite({ file: ':memory:' })
    const world = await start({ storage, limits: { tokenCacheEntries: 0 } })
    const token = accessToken(world)
    const agent = await legacy(world, token)
    await agent.call('search', { city: 'Faro' })
    const id = await tokenIdOf(world)
    await storage.tokens.revoke(id, Date.now())
    expect((await list(world, token)).status).toBe(401)
    const replica = await start({ storage }, { publicUrl: world.url })
    expect((await list(replica, token)).status).toBe(401)
    const short = accessToken(world, { exp: Math.floor(Date.now() / 1000) + 100 })
    await (await legacy(world, short)).call('search', { city: 'Faro' })
    const [{ claims }] = (await storage.tokens.chain(await tokenIdOf(world)))!
    expect(claims.exp).toBeLessThan(Date.now() / 1000 + 101)
  })

  it('is one token for one access token: on two replicas at once, and however its signature is written', async () => {
    const storage = await openSqlite({ file: ':memory:' })
    const world = await start({ storage })
    const replica = await start({ storage }, { publicUrl: world.url })
    const token = accessToken(world)
    const answers = await Promise.all(
      [world, replica, world, replica, world].flatMap((each) => [list(each, token), list(each, rewritten(token))]),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array.from(answers, () => 200))
    for (const each of [world, replica])
      for (const bearer of [token, rewritten(token)])
        await (await legacy(each, bearer)).call('search', { city: 'Faro' })
    const ids = await tokenIdsOf(world)
    expect([ids.length, new Set(ids).size]).toEqual([4, 1])
  })

  it('goes on after a rotation, signed anew, once the former key does not count any more', async () => {
    const world = await start()
    const token = accessToken(world)
    expect((await list(world, token)).status).toBe(200)
    const { keys } = world.fixture.service
    const others = keys.ring().keys.filter(({ role }) => role !== 'tokens')
    keys.replace({ keys: [...others, generateRingKey('tokens', 'active')] })
    expect((await list(world, token)).status).toBe(200)
  })

  it.each([
    ['budget', { budget: { currency: 'EUR', max_amount: 200 } }],
    ['mode of the budget', { budget: { currency: 'EUR', max_amount: 100, mode: 'per_invocation' } }],
    ['lifetime', { ttlHours: 1 }],
    ['scope', { scope: ['travel.search', 'never.given'] }],
  ])(
    'is another token once the %s of the profile is another, and with the old profile the same again',
    async (_, more) => {
      const storage = await openSqlite({ file: ':memory:' })
      const first = await start({ storage })
      const token = accessToken(first)
      const bought = async (profile: object) => {
        const world = await start({ storage }, { publicUrl: first.url, profile } as never)
        await (await legacy(world, token)).call('search', { city: 'Faro' })
        return tokenIdOf(world)
      }
      const before = await bought(PROFILE)
      const changed = await bought({ ...PROFILE, ...more })
      expect([changed === before, (await bought(PROFILE)) === before]).toEqual([false, true])
      const { constraints } = (await storage.tokens.chain(changed))!.at(-1)!.claims
      expect(constraints.budget).toMatchObject('budget' in more ? more.budget : PROFILE.budget)
    },
  )
})

/** The same signature of ECDSA with its other s: whoever has one can write both. */
function rewritten(token: string): string {
  const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
  const [header, payload, signature] = token.split('.') as [string, string, string]
  const bytes = Buffer.from(signature, 'base64url')
  const s = (order - BigInt(`0x${bytes.subarray(32).toString('hex')}`)).toString(16).padStart(64, '0')
  return `${header}.${payload}.${Buffer.concat([bytes.subarray(0, 32), Buffer.from(s, 'hex')]).toString('base64url')}`
}

/** The tokens of ana's invocations, newest first. */
async function tokenIdsOf({ fixture }: World): Promise<string[]> {
  const { token } = await fixture.issued('mail-key', { scope: ['travel.search'] })
  const entries = await fixture.trail(token)
  return entries.flatMap(({ entry_type, token_id }) => (entry_type === 'invocation' ? [token_id as string] : []))
}

const tokenIdOf = async (world: World): Promise<string> => (await tokenIdsOf(world))[0]!
