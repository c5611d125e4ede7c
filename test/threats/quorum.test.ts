import { describe, expect, it } from 'vitest'
import { sha256Hex } from '../../src/crypto/json/digest.js'
import { StorageUnavailable } from '../../src/runtime/storage/contract.js'
import { capability, input } from '../runtime/fixture/manifest.js'
import { API_KEYS, startFixture, type Given } from '../runtime/fixture/service.js'

const policy = {
  allowed_grant_types: ['one_time', 'session_bound'],
  default_grant_type: 'one_time',
  expires_in_seconds: 600,
  max_uses: 5,
} as const

const key = (id: string, principal: `human:${string}`, scopes: readonly string[]) => ({
  id,
  principal,
  sha256: sha256Hex(`${id}-key`),
  scopes,
})

const KEYS = [
  ...API_KEYS,
  key('carl', 'human:carl', ['approver:book']),
  key('bob2', 'human:bob', ['approver:book']),
  key('fin', 'human:fin', ['finance.approver']),
  key('flo', 'human:flo', ['finance.approver']),
]

const book = (approval: object, more: object = {}) =>
  capability({
    inputs: [input('hotel')],
    side_effect: { type: 'irreversible' },
    approval: { required: 'always', grant_policy: policy, ...approval } as never,
    ...more,
  })

async function start(approval: object, given: Given = {}, more: object = {}) {
  const effects: unknown[] = []
  const fixture = await startFixture({
    capabilities: { book: book(approval, more) },
    handlers: { book: (each: unknown) => (effects.push(each), {}) },
    apiKeys: KEYS,
    ...given,
  })
  const requester = await fixture.root({ subject: 'agent:planner', session_id: 's' })
  const invoke = (rest: object = {}) =>
    fixture.invoke('book', requester.token, { parameters: { hotel: 'Ritz' }, ...rest })
  const ask = async () => (await invoke()).body['failure']?.['approval_request_id'] as unknown as string
  const grant = (id: string, bearer: string, body: object = {}) =>
    fixture.post('/svc/approval_grants', bearer, { approval_request_id: id, ...body })
  return { ...fixture, effects, requester, invoke, ask, grant }
}

const typeOf = (reply: { readonly status: number; readonly body: { readonly [name: string]: unknown } }) =>
  `${reply.status} ${String((reply.body['failure'] as { readonly type?: string } | undefined)?.type)}`

describe('a quorum', () => {
  it('answers that an approval was given only when the trail has it', async () => {
    const fixture = await start({ approvers: 2 })
    const id = await fixture.ask()
    Object.assign(fixture.storage.audit, { append: () => Promise.reject(new StorageUnavailable('The disk is full.')) })
    expect((await fixture.grant(id, 'bob-key')).status).toBe(503)
  })

  it('gives the grant with the last approval, on the narrowest terms of all', async () => {
    const fixture = await start({ approvers: 2 })
    const id = await fixture.ask()
    const first = await fixture.grant(id, 'bob-key', { expires_in_seconds: 60 })
    expect(first.status).toBe(202)
    expect(first.body).toEqual({ approval_request_id: id, status: 'pending', approvals: 1, approvals_needed: 2 })
    expect(typeOf(await fixture.invoke({ approval: 'continue' }))).toBe('403 approval_required')
    const terms = { grant_type: 'session_bound', session_id: 's', max_uses: 3 }
    const last = await fixture.grant(id, 'carl-key', terms)
    expect(last.status).toBe(200)
    expect(last.body).toMatchObject({ grant_type: 'one_time', max_uses: 1, session_id: 's', approver: 'human:carl' })
    const life = Date.parse(String(last.body['expires_at'])) - Date.parse(String(last.body['issued_at']))
    expect(life).toBe(60_000)
    expect((await fixture.invoke({ approval: 'continue' })).status).toBe(200)
    expect(fixture.effects).toHaveLength(1)
  })

  it('keeps to the terms of the one between the first and the last, too', async () => {
    const fixture = await start({ approvers: 3 }, { apiKeys: [...KEYS, key('dora', 'human:dora', ['approver:book'])] })
    const id = await fixture.ask()
    expect((await fixture.grant(id, 'bob-key')).status).toBe(202)
    expect((await fixture.grant(id, 'carl-key', { expires_in_seconds: 60 })).status).toBe(202)
    const { body } = await fixture.grant(id, 'dora-key')
    expect(Date.parse(String(body['expires_at'])) - Date.parse(String(body['issued_at']))).toBe(60_000)
  })

  it('N15 counts one person once, by whichever name or key', async () => {
    const fixture = await start({ approvers: 2 })
    const id = await fixture.ask()
    expect((await fixture.grant(id, 'bob-key')).status).toBe(202)
    for (const bearer of ['bob-key', 'bob2-key'])
      expect(typeOf(await fixture.grant(id, bearer))).toBe('403 approver_not_authorized')
    const account = { issuer: 'https://idp.example', subject: '7' }
    await fixture.storage.accounts.remember(account, 'human:bob')
    await fixture.storage.accounts.remember(account, 'human:carl')
    expect(typeOf(await fixture.grant(id, 'carl-key'))).toBe('403 approver_not_authorized')
    expect((await fixture.storage.approvals.get(id))?.status).toBe('pending')
  })

  it.each([2, 3])('N15 counts nobody by the authority that one who approved has lent, among %i', async (approvers) => {
    const fixture = await start({ approvers })
    const id = await fixture.ask()
    expect((await fixture.grant(id, 'bob-key')).status).toBe(202)
    const scope = ['approver:book']
    const own = await fixture.issued('bob-key', { scope })
    const lent = await fixture.issued(own.token, { scope, subject: 'human:carl', parent_token: own.token_id })
    const held = await fixture.issued('carl-key', { scope, parent_token: lent.token_id })
    expect(typeOf(await fixture.grant(id, held.token))).toBe('403 approver_not_authorized')
    expect((await fixture.storage.approvals.get(id))?.status).toBe('pending')
    expect((await fixture.grant(id, 'carl-key')).status).toBe(approvers === 2 ? 200 : 202)
  })

  it.each(['principal', 'subject'] as const)(
    'N15 does not count whoever was blocked as a %s before the last approval',
    async (kind) => {
      const fixture = await start({ approvers: 2 })
      const id = await fixture.ask()
      expect((await fixture.grant(id, 'bob-key')).status).toBe(202)
      await fixture.storage.operators.block({
        block_id: 'blk_1',
        kind,
        value: 'human:bob',
        reason: 'left',
        created_by: 'human:op',
        created_at: '2026-03-01T12:00:00.000Z',
      })
      const next = await fixture.grant(id, 'carl-key')
      expect([next.status, next.body['approvals']]).toEqual([202, 1])
      expect((await fixture.storage.approvals.get(id))?.status).toBe('pending')
    },
  )

  it('N15 does not count whose token was revoked, or has expired, before the last approval', async () => {
    for (const end of ['revoked', 'expired']) {
      const fixture = await start({ approvers: 2 })
      const id = await fixture.ask()
      const token = await fixture.issued('bob-key', { scope: ['approver:book'], ttl_hours: 1 })
      expect((await fixture.grant(id, token.token)).status).toBe(202)
      if (end === 'revoked') await fixture.storage.tokens.revoke(token.token_id, fixture.time.now)
      else fixture.time.now += 2 * 3_600_000
      expect((await fixture.grant(id, 'carl-key')).status).toBe(202)
      expect((await fixture.storage.approvals.get(id))?.status).toBe('pending')
    }
  })

  it('N15 counts whoever approves by a token below their own, until the one above is revoked', async () => {
    for (const [isRevoked, status] of [
      [false, 200],
      [true, 202],
    ] as const) {
      const fixture = await start({ approvers: 2 })
      const id = await fixture.ask()
      const above = await fixture.issued('bob-key', { scope: ['approver:book'] })
      const body = { scope: ['approver:book'], subject: 'human:bob', parent_token: above.token_id }
      const below = await fixture.issued(above.token, body)
      expect((await fixture.grant(id, below.token)).status).toBe(202)
      if (isRevoked) await fixture.storage.tokens.revoke(above.token_id, fixture.time.now)
      expect([isRevoked, (await fixture.grant(id, 'carl-key')).status]).toEqual([isRevoked, status])
    }
  })

  it('ends with one denial', async () => {
    const fixture = await start({ approvers: 3 })
    const id = await fixture.ask()
    expect((await fixture.grant(id, 'bob-key')).status).toBe(202)
    expect((await fixture.post(`/svc/approval_requests/${id}/deny`, 'carl-key', {})).status).toBe(200)
    expect(typeOf(await fixture.grant(id, 'bob-key'))).toBe('409 approval_request_closed')
  })
})

const TIERS = { tiers: [{ cost_above: 100, approver_scope: 'finance.approver' }] }
const fixed = (amount: number) => ({ cost: { certainty: 'fixed', financial: { currency: 'EUR', amount } } })

describe('tiers', () => {
  it('lets only the scope of the tier see and decide what costs more', async () => {
    const fixture = await start(TIERS, {}, fixed(101))
    const id = await fixture.ask()
    const seen = async (bearer: string) =>
      (await fixture.call('GET', '/svc/approval_requests', { bearer })).body['count']
    expect([await seen('bob-key'), await seen('fin-key')]).toEqual([0, 1])
    expect(typeOf(await fixture.grant(id, 'bob-key'))).toBe('403 approver_not_authorized')
    expect((await fixture.grant(id, 'fin-key')).status).toBe(200)
  })

  it('lets who may decide about a tier alone learn that a request is not there', async () => {
    const fixture = await start(TIERS)
    expect(typeOf(await fixture.grant('apr_unknown', 'fin-key'))).toBe('404 approval_request_not_found')
    expect(typeOf(await fixture.grant('apr_unknown', 'eve-key'))).toBe('403 approver_not_authorized')
  })

  it('shows who decides what a call costs, and none of what the service alone keeps', async () => {
    const fixture = await start(TIERS, {}, fixed(101))
    const path = `/svc/approval_requests/${await fixture.ask()}`
    const { body } = await fixture.call('GET', path, { bearer: 'fin-key' })
    expect(body).toMatchObject({ checked_cost: { currency: 'EUR', amount: 101 }, approver_scope: 'finance.approver' })
    const kept = ['credential', 'root_token_id', 'compared_cost', 'progress', 'isErased']
    expect(kept.filter((name) => name in body)).toEqual([])
  })

  it('N15 does not count whose key no longer lists the scope of the tier, or lists none', async () => {
    for (const scopes of [['approver:book'], undefined]) {
      const fixture = await start({ approvers: 2, ...TIERS }, {}, fixed(101))
      const id = await fixture.ask()
      expect((await fixture.grant(id, 'fin-key')).status).toBe(202)
      Object.assign(fixture.service.apiKeys, { named: () => ({ principal: 'human:fin', ...(scopes && { scopes }) }) })
      const next = await fixture.grant(id, 'flo-key')
      expect([next.status, next.body['approvals']]).toEqual([202, 1])
    }
  })

  it('leaves the usual scopes what costs no more', async () => {
    const fixture = await start(TIERS, {}, fixed(100))
    const id = await fixture.ask()
    expect(typeOf(await fixture.grant(id, 'fin-key'))).toBe('403 approver_not_authorized')
    expect((await fixture.grant(id, 'bob-key')).status).toBe(200)
  })

  it('N15 takes the highest tier where the cost is unknown', async () => {
    const cost = { certainty: 'estimated', financial: { currency: 'EUR', range_min: 1, range_max: 9 } }
    const fixture = await start(TIERS, {}, { cost })
    const id = await fixture.ask()
    expect(typeOf(await fixture.grant(id, 'bob-key'))).toBe('403 approver_not_authorized')
    expect((await fixture.grant(id, 'fin-key')).status).toBe(200)
  })

  it('takes the highest of several that the cost exceeds, also where it is unknown', async () => {
    const several = { tiers: [{ cost_above: 100, approver_scope: 'finance.approver' }, { cost_above: 1000, approver_scope: 'board.approver' }] } // prettier-ignore
    const scopeAt = async (more: object) => {
      const fixture = await start(several, {}, more)
      return (await fixture.storage.approvals.get(await fixture.ask()))?.approver_scope
    }
    expect(await scopeAt(fixed(100))).toBeUndefined()
    expect(await scopeAt(fixed(1000))).toBe('finance.approver')
    expect(await scopeAt(fixed(1000.01))).toBe('board.approver')
    const unknown = { cost: { certainty: 'estimated', financial: { currency: 'EUR', range_min: 1, range_max: 9 } } }
    expect(await scopeAt(unknown)).toBe('board.approver')
  })
})

describe('N15 a quote that changed after the approval', () => {
  it.each([
    [
      'a named grant is refused',
      (grant_id: string) => ({ approval_grant: grant_id }),
      ['approval_grant_invalid', 'parameters_mismatch'],
    ],
    ['a continuation asks anew', () => ({ approval: 'continue' }), ['approval_required', undefined]],
  ] as const)('%s', async (_, member, [type, reason]) => {
    const price = { currency: 'EUR', amount: 300 }
    const quoted = {
      inputs: [input('hotel'), input('quote_id')],
      requires_binding: [{ type: 'quote', field: 'quote_id' }],
      cost: { certainty: 'estimated', financial: { currency: 'EUR' } },
    }
    const resolveBinding = () => ({ type: 'quote', issued_at: Date.parse('2026-03-01T12:00:00.000Z'), price })
    const fixture = await start(TIERS, { implementation: { resolveBinding } as never }, quoted)
    const call = (more: object = {}) => fixture.invoke({ parameters: { hotel: 'Ritz', quote_id: 'q1' }, ...more })
    const id = (await call()).body['failure']?.['approval_request_id'] as unknown as string
    const granted = await fixture.grant(id, 'fin-key')
    price.amount = 301
    const failure = (await call(member(String(granted.body['grant_id'])))).body['failure'] as
      | { type?: string; reason?: string }
      | undefined
    expect([failure?.type, failure?.reason]).toEqual([type, reason])
    expect(fixture.effects).toEqual([])
    price.amount = 300
    expect((await call({ approval_grant: granted.body['grant_id'] })).status).toBe(200)
  })
})

it('N15 a call whose quote has no price any more needs a new approval', async () => {
  const quoted = {
    inputs: [input('hotel'), input('quote_id')],
    requires_binding: [{ type: 'quote', field: 'quote_id' }],
    cost: { certainty: 'estimated', financial: { currency: 'EUR' } },
  }
  let priced: object = { price: { currency: 'EUR', amount: 300 } }
  const resolveBinding = () => ({ type: 'quote', issued_at: Date.parse('2026-03-01T12:00:00.000Z'), ...priced })
  const fixture = await start(TIERS, { implementation: { resolveBinding } as never }, quoted)
  const call = (more: object = {}) => fixture.invoke({ parameters: { hotel: 'Ritz', quote_id: 'q1' }, ...more })
  const id = (await call()).body['failure']?.['approval_request_id'] as unknown as string
  const { body } = await fixture.grant(id, 'fin-key')
  priced = {}
  const again = await call({ approval_grant: body['grant_id'] })
  expect(again.body['failure']).toMatchObject({ type: 'approval_grant_invalid', reason: 'parameters_mismatch' })
  expect(fixture.effects).toEqual([])
})

it('a grant of several is taken back by any of them, and by nobody else', async () => {
  for (const [bearer, status] of [
    ['bob-key', 200],
    ['carl-key', 200],
    ['fin-key', 404],
  ] as const) {
    const fixture = await start({ approvers: 2 })
    const id = await fixture.ask()
    await fixture.grant(id, 'bob-key')
    const { body } = await fixture.grant(id, 'carl-key')
    const path = `/-/approval_grants/${String(body['grant_id'])}/revoke`
    expect([bearer, (await fixture.post(path, bearer, { reason: 'Wrong hotel.' })).status]).toEqual([bearer, status])
  }
})

const BOB = ({ principal }: { readonly principal: string }): boolean => principal === 'human:bob'

it.each([
  ['was removed', KEYS.filter((each) => !BOB(each))],
  ['lost the scope', KEYS.map((each) => (BOB(each) ? { ...each, scopes: ['travel.search'] } : each))],
])('N15 does not count whose key %s before the last approval', async (_, later) => {
  const apiKeys = Object.assign([...KEYS], { reload: async () => later })
  const fixture = await start({ approvers: 2 }, { apiKeys: apiKeys as never })
  const id = await fixture.ask()
  expect((await fixture.grant(id, 'bob-key')).status).toBe(202)
  await fixture.service.apiKeys.reload()
  expect((await fixture.grant(id, 'carl-key')).body).toMatchObject({ status: 'pending', approvals: 1 })
})
