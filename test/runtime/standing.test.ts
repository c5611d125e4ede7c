import { describe, expect, it } from 'vitest'
import { signDelegation } from '../../src/crypto/jws/jwt.js'
import { generateRingKey } from '../../src/crypto/keys/key-ring.js'
import type { DelegationClaims, TokenRecord } from '../../src/protocol/token.js'
import { issue } from '../../src/runtime/auth/issue.js'
import { revoke } from '../../src/runtime/auth/revoke.js'
import {
  assertStanding,
  assertStandingNow,
  assertStillStanding,
  START_WITHIN_MS,
  tokenOf,
  type Token,
} from '../../src/runtime/auth/token.js'
import { Refusal } from '../../src/runtime/errors/refusal.js'
import type { Service } from '../../src/runtime/service.js'
import { openSqlite } from '../../src/runtime/storage/sqlite/index.js'
import { KEYS, startFixture } from './fixture/service.js'

const START = Date.parse('2026-03-01T12:00:00.000Z')
const SECOND = START / 1000

async function outcomeOf(act: () => unknown): Promise<unknown> {
  try {
    return await act()
  } catch (error) {
    return error instanceof Refusal ? [error.failure.type, error.failure.detail] : error
  }
}

const record = (jti: string, depth = 0, change: Partial<TokenRecord> = {}, claims: Partial<DelegationClaims> = {}): TokenRecord => ({
  depth,
  claims: {
    jti, iss: 'flights', aud: 'flights', sub: 'agent:a', iat: SECOND, nbf: SECOND, exp: SECOND + 60, root_principal: 'human:ana', scope: [],
    purpose: { parameters: {} }, constraints: { max_delegation_depth: 3, concurrent_branches: 'allowed' }, ...claims,
  },
  ...change,
}) // prettier-ignore

const REVOKED = ['token_revoked', 'The token or one of its ancestors was revoked.']
const EXPIRED = ['token_expired', 'The token or one of its ancestors has expired.']

interface Given {
  readonly chain?: readonly TokenRecord[] | undefined
  readonly isShared?: boolean
  /** How long each read takes, in ms. */
  readonly slowness?: number
  readonly revocations?: number
}

function serviceWith({ isShared = false, slowness = 0, revocations = 0, ...rest }: Given) {
  const time = { now: START }
  const reads: string[] = []
  const chain = (jti: string) => {
    reads.push(jti)
    time.now += slowness
    return Promise.resolve('chain' in rest ? rest.chain : [record('tok_1')])
  }
  const service = {
    now: () => time.now,
    limits: { clockToleranceSeconds: 5 },
    revocations: { count: revocations },
    storage: { isShared, tokens: { chain } },
  } as unknown as Service
  return { service, reads, time }
}

const tokenAt = (at: number, chain: readonly TokenRecord[] = [record('tok_1')]): Token => ({
  claims: chain.at(-1)!.claims,
  chain: chain as Token['chain'],
  record: chain.at(-1)!,
  read: { at, afterRevocations: 0 },
})

describe('a chain stands', () => {
  it.each<[string, readonly TokenRecord[], unknown]>([
    ['whole', [record('tok_1'), record('tok_2', 1)], undefined],
    ['unless a link was revoked', [record('tok_1', 0, { revoked_at: 0 }), record('tok_2', 1)], REVOKED],
    ['unless a link has expired', [record('tok_1', 0, {}, { exp: SECOND - 5 }), record('tok_2', 1)], EXPIRED],
    ['within the tolerance of the clock', [record('tok_1', 0, {}, { exp: SECOND - 4 })], undefined],
  ])('%s', async (_, chain, expected) => {
    expect(await outcomeOf(() => assertStanding(serviceWith({}).service, chain))).toEqual(expected)
  })
})

describe('a token still stands', () => {
  it.each<[string, Given, number, readonly string[]]>([
    ['unread, where it was read within a second', {}, 999, []],
    ['read again after a second', {}, 1000, ['tok_1']],
    ['read again after a revocation', { revocations: 1 }, 0, ['tok_1']],
  ])('%s', async (_, given, age, expected) => {
    const { service, reads } = serviceWith(given)
    await assertStillStanding(service, tokenAt(START - age))
    expect(reads).toEqual(expected)
  })

  it.each<[string, readonly TokenRecord[] | undefined, Partial<DelegationClaims>, unknown]>([
    ['it is gone', undefined, {}, ['invalid_token', 'The token is not known here any more.']],
    ['it was revoked', [record('tok_1', 0, { revoked_at: 1 })], {}, REVOKED],
    ['it has expired, as it says itself', [record('tok_1')], { exp: SECOND - 60 }, EXPIRED],
    ['it has expired by the tolerance of the clock', [record('tok_1')], { exp: SECOND - 5 }, EXPIRED],
  ])('unless %s', async (_, chain, claims, expected) => {
    const { service } = serviceWith({ chain, revocations: 1 })
    const token = tokenAt(START)
    expect(await outcomeOf(() => assertStillStanding(service, { ...token, claims: { ...token.claims, ...claims } }))).toEqual(expected)
  })
}) // prettier-ignore

describe('a token stands now', () => {
  it('as it did, where nobody else can revoke it', async () => {
    const { service, reads } = serviceWith({})
    await assertStandingNow(service, tokenAt(START))
    expect(reads).toEqual([])
  })

  it.each([0, 1, 2])('read again, where others can, after %i revocations here', async (revocations) => {
    const { service, reads } = serviceWith({ isShared: true, slowness: 499, revocations })
    const token = tokenAt(START)
    await assertStandingNow(service, { ...token, read: { ...token.read, afterRevocations: revocations } })
    expect(reads).toEqual(['tok_1'])
  })

  it('unless it was revoked', async () => {
    const { service } = serviceWith({ isShared: true, chain: [record('tok_1', 0, { revoked_at: 1 })] })
    expect(await outcomeOf(() => assertStandingNow(service, tokenAt(START)))).toEqual(REVOKED)
  })

  it('unless the store is too slow, ten times', async () => {
    const { service, reads } = serviceWith({ isShared: true, slowness: 500 })
    expect(await outcomeOf(() => assertStandingNow(service, tokenAt(START)))).toEqual([
      'service_unavailable',
      'The token could not be checked in time because the database is slow.',
    ])
    expect(reads).toHaveLength(10)
  })
})

describe('a credential is a token', () => {
  const key = KEYS.keys.find(({ role }) => role === 'tokens')!
  const forged = (token: string, change: Partial<DelegationClaims>, signer = key.signer!) => {
    const claims = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as DelegationClaims
    return signDelegation(signer, { ...claims, ...change })
  }

  it.each<[string, (token: string) => string | Promise<string>, unknown]>([
    ['in its form', () => 'a.b.c', ['invalid_token', 'The credential is not a delegation token of this service.']],
    ['by the key', (token) => forged(token, {}, { ...generateRingKey('tokens', 'active').signer!, kid: key.kid }), ['invalid_token', 'The signature of the token does not verify.']],
    ['for this service', (token) => forged(token, { aud: 'hotels' }), ['invalid_token', 'The token was not made for this service.']],
    ['by this service', (token) => forged(token, { iss: 'hotels' }), ['invalid_token', 'The token was not made for this service.']],
    ['from now on', (token) => forged(token, { nbf: SECOND + 6 }), ['invalid_token', 'The token is not valid yet.']],
    ['until it expires', (token) => forged(token, { exp: SECOND - 5 }), ['token_expired', 'The token has expired.']],
    ['that is known', (token) => forged(token, { jti: 'tok_other' }), ['invalid_token', 'The token is not known here.']],
    ['that says what was issued', (token) => forged(token, { scope: ['everything'] }), ['invalid_token', 'The token differs from what was issued.']],
  ])('%s', async (_, change, expected) => {
    const { service, root } = await startFixture()
    const bearer = await change((await root()).token)
    expect(await outcomeOf(() => tokenOf(service, bearer))).toEqual(expected)
  })

  it('of the second in which it is used', async () => {
    const { service, root, time } = await startFixture()
    const { token } = await root()
    time.now += 999
    const later = await forged(token, { nbf: SECOND + 5, iat: SECOND + 5 })
    expect(await outcomeOf(() => tokenOf(service, later))).toEqual(['invalid_token', 'The token differs from what was issued.'])
  })

  it('that stands, as its ancestors do', async () => {
    const { service, root, issued, post, time } = await startFixture()
    const parent = await root({ subject: 'agent:planner' })
    const ask = { scope: ['travel.search'], subject: 'agent:worker', parent_token: parent.token_id }
    const [child, other] = [await issued(parent.token, ask), await root()]
    await post('/svc/tokens/revoke', 'ana-key', { token_id: parent.token_id })
    expect(await outcomeOf(() => tokenOf(service, child.token))).toEqual(REVOKED)
    time.now += 2 * 3600_000 + 5000
    expect(await outcomeOf(() => tokenOf(service, other.token))).toEqual(EXPIRED)
  })

  it('with its chain, root first', async () => {
    const { service, root, issued, storage } = await startFixture()
    const parent = await root({ subject: 'agent:planner' })
    const child = await issued(parent.token, { scope: ['travel.search'], subject: 'agent:worker', parent_token: parent.token_id })
    const token = await tokenOf(service, child.token)
    expect(token.chain).toEqual(await storage.tokens.chain(child.token_id))
    expect(token.record).toBe(token.chain[1])
    expect(token.claims).toEqual(token.record.claims)
    expect(token.read).toEqual({ at: START, afterRevocations: 0 })
  })

  it.each<[string, (chain: readonly TokenRecord[]) => readonly TokenRecord[]]>([
    ['at another depth', ([root, child]) => [root!, { ...child!, depth: 2 }]],
    ['with a root that is none', ([root, child]) => [{ ...root!, claims: { ...root!.claims, parent_token_id: 'tok_x' } }, child!]],
    ['without its parent', ([, child]) => [{ ...child!, depth: 0 }]],
    ['of another parent', ([root, child]) => [{ ...root!, claims: { ...root!.claims, jti: 'tok_x' } }, child!]],
  ])('and not %s', async (_, change) => {
    const { service, root, issued, storage } = await startFixture()
    const parent = await root({ subject: 'agent:planner' })
    const child = await issued(parent.token, { scope: ['travel.search'], subject: 'agent:worker', parent_token: parent.token_id })
    const chain = change((await storage.tokens.chain(child.token_id))!)
    Object.assign(service.storage.tokens, { chain: () => Promise.resolve(chain) })
    expect(await outcomeOf(() => tokenOf(service, child.token))).toEqual(['invalid_token', 'The token differs from what was issued.'])
  })

  it('that is compared once with what a read gave, and again with what another one gives', async () => {
    const { service, root, storage } = await startFixture()
    const { token, token_id } = await root()
    const chain = (await storage.tokens.chain(token_id))!
    let given: readonly TokenRecord[] = chain
    Object.assign(service.storage.tokens, { chain: () => Promise.resolve(given) })
    await tokenOf(service, token)
    Object.assign(chain[0].claims, { scope: ['everything'] })
    expect((await tokenOf(service, token)).record.claims.scope).toEqual(['everything'])
    given = [...chain]
    expect(await outcomeOf(() => tokenOf(service, token))).toEqual(['invalid_token', 'The token differs from what was issued.'])
  })
}) // prettier-ignore

describe('what is issued and revoked', () => {
  const AUTHORITY = {
    sub: 'agent:a', root_principal: 'human:ana', scope: ['travel.search'], purpose: { parameters: { task_id: 't' }, task_id: 't' }, exp: SECOND + 60, capability: 'search',
    constraints: { max_delegation_depth: 3, concurrent_branches: 'allowed' },
  } as const
  const NONE = {
    invocation_id: null, failure_type: null, client_reference_id: null, parent_invocation_id: null, upstream_service: null, approval_request_id: null,
    approval_grant_id: null, cost_actual: null, parameters: {}, event_class: 'low_risk_success', success: true, root_principal: 'human:ana',
    timestamp: '2026-03-01T12:00:00.000Z',
  }
  const started = async () => {
    const fixture = await startFixture()
    const recorded: object[] = []
    const record: Service['record'] = (settlement) => (recorded.push(settlement.draft), fixture.service.record(settlement))
    return { ...fixture, recorded, service: { ...fixture.service, record } }
  }

  it('is on the trail, with its chain', async () => {
    const { service, recorded, storage } = await started()
    const root = await issue(service, { ...AUTHORITY, sub: 'agent:b' }, [], { credential: { api_key: 'ana' } })
    const ancestors = (await storage.tokens.chain(root.token_id))!
    const { capability: _, purpose: __, ...least } = AUTHORITY
    const child = await issue(service, { ...least, purpose: { parameters: {} }, parent_token_id: root.token_id }, ancestors)
    await revoke(service, (await storage.tokens.chain(child.token_id))!, { principal: 'human:ana', credential: { api_key: 'ana' } })
    const issuance = { ...NONE, entry_type: 'token_issued' }
    expect(recorded).toStrictEqual([
      { ...issuance, capability: 'search', task_id: 't', actor_key: 'human:ana', token_id: root.token_id, delegation_chain: [root.token_id], issued: { subject: 'agent:b', scope: ['travel.search'], depth: 0, expires_at: '2026-03-01T12:01:00.000Z' }, credential: { api_key: 'ana' } },
      { ...issuance, capability: null, task_id: null, actor_key: 'agent:b', token_id: child.token_id, delegation_chain: [root.token_id, child.token_id], issued: { subject: 'agent:a', scope: ['travel.search'], depth: 1, expires_at: '2026-03-01T12:01:00.000Z' } },
      { ...NONE, entry_type: 'token_revoked', capability: null, task_id: null, actor_key: 'human:ana', token_id: child.token_id, delegation_chain: [root.token_id, child.token_id], credential: { api_key: 'ana' } },
    ])
  })

  it('is answered', async () => {
    const { service, storage, time } = await started()
    time.now += 999
    const { token, token_id, ...rest } = await issue(service, AUTHORITY, [])
    expect(rest).toStrictEqual({ issued: true, scope: ['travel.search'], capability: 'search', task_id: 't', expires: '2026-03-01T12:01:00.000Z', expires_at: '2026-03-01T12:01:00.000Z' })
    expect((await storage.tokens.chain(token_id))?.[0]).toMatchObject({ depth: 0, claims: { iss: 'flights', aud: 'flights', iat: SECOND, nbf: SECOND } })
    expect((await tokenOf(service, token)).claims.jti).toBe(token_id)
    expect(await revoke(service, (await storage.tokens.chain(token_id))!, { principal: 'human:ana' })).toEqual({ revoked: true, token_id, descendants: 0 })
    expect(service.revocations.count).toBe(1)
  })

  it('is known without being verified, once its key has verified anything', async () => {
    const { service } = await started()
    await tokenOf(service, (await issue(service, AUTHORITY, [])).token)
    const { token } = await issue(service, AUTHORITY, [])
    expect((await tokenOf({ ...service, id: 'another' }, token)).claims.iss).toBe('flights')
  })

  it('is not larger than a header can be', async () => {
    const { service } = await started()
    const authority = { ...AUTHORITY, purpose: { ...AUTHORITY.purpose, task_id: '東京' } }
    const claims = { jti: service.ids.make('token'), iss: 'flights', aud: 'flights', iat: SECOND, nbf: SECOND, ...authority }
    const size = Buffer.byteLength(JSON.stringify(claims))
    const limited = (claimsBytes: number) => ({ ...service, limits: { ...service.limits, claimsBytes } })
    expect(await outcomeOf(() => issue(limited(size - 1), authority, []))).toEqual(['invalid_parameters', 'The scopes and the purpose of the token are too large together.'])
    expect(await outcomeOf(() => issue(limited(size), authority, []))).toMatchObject({ issued: true })
  })

  it('waits until what others found standing has started, where there are others', async () => {
    const { service, storage } = await started()
    const { token_id } = await issue(service, AUTHORITY, [])
    const chain = (await storage.tokens.chain(token_id))!
    const timers = () => process.getActiveResourcesInfo().filter((each) => each === 'Timeout').length
    const waiting = async (isShared: boolean) => {
      let [before, during] = [0, 0]
      const tokens = { ...service.storage.tokens, revoke: () => ((before = timers()), Promise.resolve(0)) }
      const record = () => ((during = timers()), Promise.resolve(undefined))
      await revoke({ ...service, record, storage: { ...service.storage, tokens, isShared } }, chain, { principal: 'human:ana' })
      return during - before
    }
    expect(await waiting(true)).toBe(1)
    expect(await waiting(false)).toBe(0)
  })

  it('ends nothing that the store does not know', async () => {
    const { service } = await started()
    expect(await revoke(service, [record('tok_none')], { principal: 'human:ana' })).toEqual({ revoked: true, token_id: 'tok_none', descendants: 0 })
  })
}) // prettier-ignore

it('R05: the answer to a revocation waits where other replicas serve, until what they found standing has started', async () => {
  const storage = await openSqlite({ file: ':memory:' })
  const { root, post } = await startFixture({ storage: { ...storage, isShared: true } })
  const { token_id } = await root()
  const asked = performance.now()
  expect((await post('/svc/tokens/revoke', 'ana-key', { token_id })).status).toBe(200)
  expect(performance.now() - asked).toBeGreaterThan(START_WITHIN_MS - 20)
})
