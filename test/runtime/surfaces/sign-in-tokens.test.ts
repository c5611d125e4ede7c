/** One sign-in buys one token for each profile and each address, never longer than the person is signed in. */
import { expect, it } from 'vitest'
import type { McpOptions, McpProfile } from '../../../src/runtime/surfaces/mcp/options.js'
import { signInFor } from '../../../src/runtime/surfaces/mcp/sign-in.js'
import { capability } from '../fixture/manifest.js'
import { startFixture } from '../fixture/service.js'

const PROFILE: McpProfile = { scope: ['travel.search'], budget: { currency: 'EUR', max_amount: 100 }, ttlHours: 2 }
const START = Date.parse('2026-03-01T12:00:00.000Z') / 1000

async function start(expiresAt = START + 86_400) {
  const fixture = await startFixture({
    capabilities: { search: capability(), book: capability({ minimum_scope: ['travel.book'] }) },
  })
  const identity = { principal: 'human:ana', credential: { oidc: 'https://idp.example' } }
  const providers = [{ signedIn: async () => ({ identity, agent: 'agent:app', expiresAt }) }]
  const claimsOf = async (profile: McpProfile, bearer = 'head.body.signature', publicUrl = 'https://svc.example') => {
    const signIn = signInFor({ ...fixture.service, providers } as never, { publicUrl, profile } as McpOptions)
    const token = await signIn(bearer, '10.0.0.1')
    return JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as {
      readonly jti: string
      readonly exp: number
    }
  }
  return claimsOf
}

it.each<[string, Partial<McpProfile>, string | undefined, string | undefined, boolean]>([
  ['the same profile', {}, undefined, undefined, true],
  ['another spelling of the signature', {}, 'head.body.other', undefined, true],
  ['another scope', { scope: ['travel.book'] }, undefined, undefined, false],
  ['a wider scope', { scope: ['travel.search', 'travel.book'] }, undefined, undefined, false],
  ['another amount', { budget: { currency: 'EUR', max_amount: 99 } }, undefined, undefined, false],
  ['another currency', { budget: { currency: 'USD', max_amount: 100 } }, undefined, undefined, false],
  ['another life', { ttlHours: 1 }, undefined, undefined, false],
  ['another access token', {}, 'head.other.signature', undefined, false],
  ['another address', {}, undefined, 'https://other.example', false],
])('%s', async (_, change, bearer, publicUrl, isSame) => {
  const claimsOf = await start()
  const { jti } = await claimsOf(PROFILE)
  expect((await claimsOf({ ...PROFILE, ...change }, bearer, publicUrl)).jti === jti).toBe(isSame)
})

it.each([
  [START + 86_400, START + 7_200],
  [START + 7_200, START + 7_200],
  [START + 60, START + 60],
])('signed in until %i, the token ends at %i', async (expiresAt, exp) => {
  expect((await (await start(expiresAt))(PROFILE)).exp).toBe(exp)
})

it('calls that come at once with one access token share one sign-in, and one that was refused is tried again', async () => {
  const { service } = await startFixture({ capabilities: { search: capability() } })
  const identity = { principal: 'human:ana', credential: { oidc: 'https://idp.example' } }
  const answers: object[] = []
  let asked = 0
  const signedIn = async () => {
    asked += 1
    return answers.pop()
  }
  const options = { publicUrl: 'https://svc.example', profile: PROFILE } as McpOptions
  const signIn = signInFor({ ...service, providers: [{ signedIn }] } as never, options)
  const both = () => Promise.allSettled([signIn('head.body.one', '10.0.0.1'), signIn('head.body.one', '10.0.0.1')])
  expect([(await both()).map(({ status }) => status), asked]).toEqual([['rejected', 'rejected'], 1]) // prettier-ignore
  answers.push({ identity, agent: 'agent:app', expiresAt: START + 60 })
  expect([(await both()).map(({ status }) => status), asked]).toEqual([['fulfilled', 'fulfilled'], 2]) // prettier-ignore
  expect([(await both()).map(({ status }) => status), asked]).toEqual([['fulfilled', 'fulfilled'], 2]) // prettier-ignore
})

it.each([
  [{}, 'https://svc.example/mcp'],
  [{ audience: 'api://6666' }, 'api://6666'],
])('with %j access tokens are for %s', async (more, audience) => {
  const { service } = await startFixture()
  const asked: string[] = []
  const signedIn = async (_: string, resource: string) => void asked.push(resource)
  const options = { publicUrl: 'https://svc.example', profile: PROFILE, ...more } as McpOptions
  const signIn = signInFor({ ...service, providers: [{ signedIn }] } as never, options)
  await expect(signIn('head.body.signature', '10.0.0.1')).rejects.toThrow('Unknown credential.')
  expect(asked).toEqual([audience])
})
