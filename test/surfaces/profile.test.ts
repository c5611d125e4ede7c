/** Whom a profile lets in: what is wrong with one is said at the start, what is right in the metadata (surfaces, credential B). */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { capability } from '../runtime/fixture/manifest.js'
import { fakeProvider, jwt } from '../runtime/oidc/fake-provider.js'
import { openSqlite } from '../../src/runtime/storage/sqlite/index.js'
import { AUDIENCE, PROFILE, startSignIn } from './sign-in-world.js'

let provider: Awaited<ReturnType<typeof fakeProvider>>
beforeEach(async () => void (provider = await fakeProvider()))
afterEach(() => provider.close())

it('says where to sign in: S10', async () => {
  const world = await startSignIn(provider as never)
  const metadata = await fetch(`${world.url}/.well-known/oauth-protected-resource/mcp`)
  expect(await metadata.json()).toEqual({
    resource: `${world.url}/mcp`,
    authorization_servers: [provider.issuer],
    scopes_supported: ['use'],
    bearer_methods_supported: ['header'],
  })
})

describe('a profile that can let nobody in', () => {
  it.each([
    ['has no provider', { oidc: [] }, {}, 'It needs an identity provider'],
    ['has no address', {}, { publicUrl: undefined }, 'It needs publicUrl'],
    ['names a scope that no capability needs', {}, { profile: { scope: ['approver:book'] } }, 'No capability needs the scope "approver:book"; they need travel.search'],
    ['names no scope', {}, { profile: { scope: [] } }, 'Its scope is empty'],
    ['lasts too long', {}, { profile: { ...PROFILE, ttlHours: 24.5 } }, 'Its ttlHours must be above 0 and 24 at most, found 24.5'],
    ['lasts no time', {}, { profile: { ...PROFILE, ttlHours: 0 } }, '24 at most, found 0'],
    ['names one scope of two that no capability needs', {}, { profile: { scope: ['travel.search', 'x'] } }, 'No capability needs the scope "x"; they need travel.search, never.given.'],
    ['has a budget in no currency', {}, { profile: { ...PROFILE, budget: { currency: 'euro', max_amount: 1 } } }, 'budget.currency'],
  ])('does not start when it %s', async (_, given, options, message) => {
    await expect(startSignIn(provider as never, given, options as never)).rejects.toThrow(message)
  }) // prettier-ignore
})

it('may last as long as a token may, and say no scopes of the provider', async () => {
  const world = await startSignIn(provider as never, {}, { profile: { scope: ['travel.search'], ttlHours: 24 } })
  const metadata = await fetch(`${world.url}/.well-known/oauth-protected-resource/mcp`)
  expect(await metadata.json()).toEqual({
    resource: `${world.url}/mcp`,
    authorization_servers: [provider.issuer],
    bearer_methods_supported: ['header'],
  })
})

describe('a sign-in', () => {
  const ANA = { sub: 'ana', email: 'ana@example.org', email_verified: true, azp: 'editor' }
  const tokenFor = (url: string, claims: object = {}) => jwt(provider.key, provider.claims({ ...ANA, aud: `${url}/mcp`, ...claims })) // prettier-ignore
  const list = (url: string, bearer: string) =>
    fetch(`${url}/mcp`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    }) // prettier-ignore

  it('counts at the second of two providers, which the metadata name both', async () => {
    const other = await fakeProvider()
    const [one, two] = [
      { alias: 'one', emailDomains: ['one.example'] },
      { alias: 'two', emailDomains: ['example.org'] },
    ]
    const oidc = [
      { ...one, issuer: other.issuer, audience: AUDIENCE },
      { ...two, issuer: provider.issuer, audience: AUDIENCE },
    ]
    const world = await startSignIn(provider as never, { oidc })
    expect((await list(world.url, tokenFor(world.url))).status).toBe(200)
    const metadata = await fetch(`${world.url}/.well-known/oauth-protected-resource/mcp`)
    expect(await metadata.json()).toMatchObject({ authorization_servers: [other.issuer, provider.issuer] })
    await other.close()
  })

  it('that failed in the store is tried again, and not remembered', async () => {
    const storage = await openSqlite({ file: ':memory:' })
    const world = await startSignIn(provider as never, { storage })
    const { insert } = storage.tokens
    Object.assign(storage.tokens, { insert: () => Promise.reject(new Error('away')) })
    expect((await list(world.url, tokenFor(world.url))).status).toBe(500)
    Object.assign(storage.tokens, { insert })
    expect((await list(world.url, tokenFor(world.url))).status).toBe(200)
  })

  it('that counts at two resources of one store buys a token for each', async () => {
    const storage = await openSqlite({ file: ':memory:' })
    const worlds = [
      await startSignIn(provider as never, { storage }),
      await startSignIn(provider as never, { storage }),
    ]
    const token = tokenFor('', { aud: worlds.map(({ url }) => `${url}/mcp`) })
    for (const { url } of [...worlds, ...worlds]) expect((await list(url, token)).status).toBe(200)
    expect(await storage.operators.tokens({ limit: 9, subject: 'agent:editor' })).toHaveLength(2)
  })

  it('takes a place among the tokens that a person may buy in a minute', async () => {
    const world = await startSignIn(provider as never, { limits: { tokensPerMinute: 1 } })
    const statuses = []
    for (const jti of ['a', 'b']) statuses.push((await list(world.url, tokenFor(world.url, { jti }))).status)
    expect(statuses).toEqual([200, 429])
  })

  it('buys a token that is bounded for each call where the profile says so', async () => {
    const storage = await openSqlite({ file: ':memory:' })
    const pay = capability({ cost: { certainty: 'fixed', financial: { currency: 'EUR', amount: 60 } } } as never)
    const budget = { currency: 'EUR', max_amount: 100, mode: 'per_invocation' } as const
    const world = await startSignIn(provider as never, { storage, capabilities: { pay } as never, handlers: { pay: () => ({}) } }, { profile: { scope: ['travel.search'], budget } }) // prettier-ignore
    await list(world.url, tokenFor(world.url))
    const [{ claims } = { claims: undefined }] = await storage.operators.tokens({ limit: 2, subject: 'agent:editor' })
    expect(claims!.constraints.budget).toEqual(budget)
  })
})
