/** A provider's token says more than who it is of (decisions, section 21; RFC 8693, RFC 7800). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { capability, ONE_TIME } from '../runtime/fixture/manifest.js'
import { startFixture, type Given } from '../runtime/fixture/service.js'
import { fakeProvider, jwt } from '../runtime/oidc/fake-provider.js'

let provider: Awaited<ReturnType<typeof fakeProvider>>
beforeAll(async () => void (provider = await fakeProvider()))
afterAll(() => provider.close())

const PERSON = { sub: 'u-1', email: 'ana@example.org', email_verified: true }
const ENTITLED = { scopes: ['travel.search', 'approver:book'], roles: ['operator'] } as const

const signed = (claims: object) => jwt(provider.key, provider.claims({ ...PERSON, ...claims }))

const start = ({ oidc = [], ...given }: Given = {}) =>
  startFixture({
    clock: Date.now,
    oidc: [{ issuer: provider.issuer, audience: 'svc', alias: 'idp', entitlements: () => ENTITLED, ...oidc[0] }],
    capabilities: {
      search: capability(),
      decide: capability({ requires_principal: ['human', 'oidc'] }),
      book: capability({ approval: { required: 'always', grant_policy: ONE_TIME } }),
    },
    ...given,
  })

const SEARCH = { scope: ['travel.search'] }

describe('N33: an agent that acts for a person', () => {
  it('buys tokens that are made out to it, rooted in the person; those inside are recorded', async () => {
    const { post, storage } = await start()
    const act = { sub: 'agent-7', act: { sub: 'broker', act: { sub: 'gateway' } } }
    const { body } = await post('/svc/tokens', signed({ act }), SEARCH)
    const [root] = (await storage.tokens.chain(body['token_id'] as unknown as string))!
    expect(root.claims).toMatchObject({ sub: 'agent:idp/agent-7', root_principal: 'human:ana@example.org' })
    const entries = await storage.audit.query({ rootPrincipal: 'human:ana@example.org', limit: 10 })
    expect(entries.map(({ issued }) => issued)).toMatchObject([{ subject: 'agent:idp/agent-7', inner_actors: ['broker', 'gateway'] }]) // prettier-ignore
  })

  it('is named by the host of its issuer where that has no alias', async () => {
    const { post, storage } = await start({ oidc: [{ issuer: provider.issuer, audience: 'svc', alias: undefined as never }] })
    const { body } = await post('/svc/tokens', signed({ act: { sub: 'a b' } }), SEARCH)
    const [root] = (await storage.tokens.chain(body['token_id'] as unknown as string))!
    expect(root.claims.sub).toBe(`agent:${new URL(provider.issuer).host}/a%20b`)
  }) // prettier-ignore

  it('satisfies nothing that requires a person', async () => {
    const { post, invoke } = await start()
    const { token } = (await post('/svc/tokens', signed({ act: { sub: 'agent-7' } }), SEARCH)).body
    expect((await invoke('decide', token as unknown as string)).body['failure']).toMatchObject({ type: 'non_delegable_action' })
    expect((await invoke('search', token as unknown as string)).status).toBe(200)
  }) // prettier-ignore

  it.each([
    ['a token of the person itself', { ...SEARCH, subject: 'human:ana@example.org' }, 'insufficient_authority'],
    ['a token for another agent', { ...SEARCH, subject: 'agent:other' }, 'insufficient_authority'],
    ['a scope to approve with', { scope: ['approver:book'] }, 'scope_escalation'],
  ])('buys not %s', async (_, asked, type) => {
    const { post } = await start({ manifest: { approvals: { request_ttl: 'PT1H', denial_holds: 'PT10M', allow_agents: true, separation_of_duties: true } } }) // prettier-ignore
    const { body } = await post('/svc/tokens', signed({ act: { sub: 'agent-7' } }), asked)
    expect(body['failure']).toMatchObject({ type })
  })

  it('delegates nothing that the person has bought', async () => {
    const { post } = await start()
    const own = (await post('/svc/tokens', signed({}), { ...SEARCH, subject: 'agent:idp/agent-7' })).body
    const asked = { ...SEARCH, parent_token: own['token_id'] }
    const { body } = await post('/svc/tokens', signed({ act: { sub: 'agent-7' } }), asked)
    expect(body['failure']).toMatchObject({ type: 'insufficient_authority' })
  })

  it.each([
    ['GET', '/-/tokens', undefined],
    ['POST', '/-/tokens/revoke', { subject: 'agent:x', reason: 'r' }],
    ['POST', '/svc/tokens/revoke', { token_id: 'tok-1' }],
    ['GET', '/svc/approval_requests', undefined],
    ['POST', '/svc/approval_requests/apr-1/deny', { reason: 'r' }],
    ['POST', '/svc/approval_grants', { approval_request_id: 'apr-1' }],
  ])('%s %s takes no such credential', async (method, path, body) => {
    const { call } = await start()
    const reply = await call(method, path, { bearer: signed({ act: { sub: 'agent-7' } }), body })
    expect([reply.status, reply.body['failure']]).toMatchObject([403, { type: 'insufficient_authority', detail: expect.stringContaining('acts for human:ana@example.org') }]) // prettier-ignore
  })

  it.each([
    null,
    'agent-7',
    {},
    { sub: 7 },
    { sub: '' },
    [{ sub: 'a' }],
    { sub: 'a', act: {} },
    { sub: 'a', act: 'b' },
    { sub: '\u0000\ud800' },
  ])('that is named as %j is nobody', async (act) => {
    const { post } = await start()
    expect((await post('/svc/tokens', signed({ act }), SEARCH)).status).toBe(401)
  })
})

describe('N33: clients that are listed bound tokens by every name of a client', () => {
  it.each([
    [{}, 200],
    ...['azp', 'client_id', 'cid', 'appid'].flatMap((name): [object, number][] => [
      [{ [name]: 'good' }, 200],
      [{ [name]: 'svc' }, 200],
      [{ [name]: 'evil' }, 401],
      [{ [name]: ['good'] }, 401],
      [{ [name]: null }, 401],
      [{ azp: 'good', [name]: 'evil' }, 401],
    ]),
  ] as [object, number][])('%j: %i', async (claims, status) => {
    const { post } = await start({ oidc: [{ issuer: provider.issuer, audience: 'svc', clients: ['good'] }] })
    expect((await post('/svc/tokens', signed(claims), SEARCH)).status).toBe(status)
  })
})

it('N33: a token that is bound to a key counts nowhere while no proof of the key is checked', async () => {
  const { post, logged } = await start()
  expect((await post('/svc/tokens', signed({ cnf: { jkt: 'k' } }), SEARCH)).status).toBe(401)
  expect(logged.join()).toContain('"cnf"')
})
