/** Credential B: a person signs in with an MCP client, and the agent gets what the profile allows (surfaces, section 3). */
import { Client as ModernClient, StreamableHTTPClientTransport as ModernHttp } from '@modelcontextprotocol/client'
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as LegacyHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { generateRingKey } from '../../src/crypto/keys/key-ring.js'
import type { World } from './mcp-world.js'
import { closing, person, startProvider, startSignIn, PROFILE, type Provider } from './sign-in-world.js'

let provider: Provider
beforeAll(async () => void (provider = await startProvider()))
afterAll(() => provider.process.stdin!.end())

const CLIENTS = {
  legacy: () => new LegacyClient({ name: 'editor', version: '1.0.0' }),
  modern: () => new ModernClient({ name: 'editor', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } }),
} as const

/** Connects as a client does that knows the address alone: 401, metadata, registration, code, token, and again. */
async function signIn(world: World, era: keyof typeof CLIENTS) {
  const { auth, kept } = person('ana')
  const at = new URL(`${world.url}/mcp`)
  const transport = () =>
    era === 'legacy' ? new LegacyHttp(at, { authProvider: auth }) : new ModernHttp(at, { authProvider: auth as never })
  const first = transport()
  await expect(CLIENTS[era]().connect(first as never)).rejects.toThrow(/unauthorized/iu)
  await (first instanceof LegacyHttp ? first.finishAuth(kept.callback!.get('code')!) : first.finishAuth(kept.callback!))
  const client = closing(CLIENTS[era]()) as LegacyClient
  await client.connect(transport() as never)
  return { client, clientId: kept.registration!.client_id, accessToken: kept.tokens!.access_token }
}

it.each(['legacy', 'modern'] as const)('a client of the %s era signs a person in, and is an agent of theirs', async (era) => {
  const world = await startSignIn(provider)
  const { client, clientId, accessToken } = await signIn(world, era)
  const answer = await client.callTool({ name: 'search', arguments: { city: 'Faro' } })
  expect(answer.structuredContent).toEqual({ found: 'Hotels in Faro' })
  const { token } = await world.fixture.issued('mail-key', { scope: ['travel.search'] })
  const [, entry] = await world.fixture.trail(token)
  expect(entry).toMatchObject({ capability: 'search', actor_key: `agent:${clientId}`, success: true })
  const [root] = (await world.fixture.storage.tokens.chain(entry!['token_id'] as string))!
  expect(root).toMatchObject({
    claims: {
      sub: `agent:${clientId}`,
      root_principal: 'human:ana@example.org',
      scope: PROFILE.scope,
      constraints: { budget: { ...PROFILE.budget, mode: 'cumulative' } },
    },
    credential: { issuer: provider.issuer, subject: 'ana' },
  })
  expect(world.fixture.logged.join('\n')).not.toContain(accessToken)
}) // prettier-ignore

describe.each(['legacy', 'modern'] as const)('S10: a client of the %s era is refused at once', (era) => {
  const connectWith = async (world: World, bearer: string) => {
    const requestInit = { headers: { authorization: `Bearer ${bearer}` } }
    const at = new URL(`${world.url}/mcp`)
    const transport = era === 'legacy' ? new LegacyHttp(at, { requestInit }) : new ModernHttp(at, { requestInit })
    const client = closing(CLIENTS[era]()) as LegacyClient
    await client.connect(transport as never)
    return client.listTools()
  }

  it('with a token that a person got for another service at the same provider, which buys nothing there either', async () => {
    const [world, other] = [await startSignIn(provider), await startSignIn(provider)]
    const { client, accessToken } = await signIn(other, era)
    expect((await client.listTools()).tools).not.toEqual([])
    await expect(connectWith(world, accessToken)).rejects.toThrow(/401|unauthorized|invalid_token/iu)
    for (const { fixture } of [world, other])
      expect((await fixture.post('/svc/tokens', accessToken, { scope: ['travel.search'] })).status).toBe(401)
  })

  it('with an API key, with a delegation token that has expired, and with one of another service', async () => {
    let ms = 0
    const world = await startSignIn(provider, { clock: () => Date.now() + ms })
    const stranger = await startSignIn(provider, { keys: { keys: (['manifest', 'tokens', 'audit'] as const).map((role) => generateRingKey(role, 'active')) } })
    expect((await connectWith(world, world.token)).tools).not.toEqual([])
    ms = 25 * 3600 * 1000
    for (const bearer of ['ana-key', world.token, stranger.token])
      await expect(connectWith(world, bearer)).rejects.toThrow(/401|unauthorized|invalid_token|token_expired|expired/iu)
  }) // prettier-ignore
})
