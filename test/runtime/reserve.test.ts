import { describe, expect, it } from 'vitest'
import type { Capability } from '../../src/protocol/manifest.js'
import type { TokenRecord } from '../../src/protocol/token.js'
import type { GovernedFacts } from '../../src/runtime/call/facts/facts.js'
import { begin, type Whole } from '../../src/runtime/call/invocation.js'
import { poolOf } from '../../src/runtime/call/reserve/pool.js'
import type { Reserved } from '../../src/runtime/call/reserve/reserved.js'
import { reserve } from '../../src/runtime/call/reserve/reserve.js'
import { Refusal } from '../../src/runtime/errors/refusal.js'
import type { Service } from '../../src/runtime/service.js'
import type { Intent } from '../../src/runtime/storage/contract.js'
import { capability, manifestOf } from './fixture/manifest.js'

const NOW = Date.parse('2026-03-01T12:00:00.000Z')
const EUR = { currency: 'EUR', amount: 3 }
const cumulative = { currency: 'EUR', max_amount: 10, mode: 'cumulative' } as const

interface Given {
  readonly capability?: Partial<Capability>
  readonly constraints?: Partial<TokenRecord['claims']['constraints']>
  readonly claim?: Reserved['claim']
  readonly composedBy?: { readonly name: string; readonly pool: Whole['pool'] }
  readonly checked?: typeof EUR
  readonly certainty?: 'fixed' | 'estimated'
  /** The grant that counts. */
  readonly grantId?: string
  /** When the grant that is presented expires. */
  readonly grantUntil?: number
  readonly isSpent?: boolean
  /** The caller goes on by the same call. */
  readonly continues?: true
  /** The lease has another holder. */
  readonly isTaken?: boolean
  readonly wait?: number
  readonly isShared?: boolean
}

/** What was done, in order, what was learnt, and what was refused. */
async function reserved(given: Given) {
  const done: string[] = []
  const intents: Intent[] = []
  const record: TokenRecord = {
    depth: 0,
    claims: {
      jti: 'tok_1', iss: 's', aud: 's', sub: 'agent:a', iat: 0, nbf: 0, exp: NOW, root_principal: 'human:ana', scope: [], purpose: { parameters: {} },
      constraints: { max_delegation_depth: 3, concurrent_branches: 'allowed', ...given.constraints },
    },
  }
  const declared = capability({ side_effect: { type: 'write' }, ...given.capability })
  const capabilities = { book: declared, trip: capability(), costly: capability({ cost: { certainty: 'dynamic' } }) }
  const say = <Value>(text: string, value: Value) => (done.push(text), Promise.resolve(value))
  const service = {
    owner: 'process-1',
    notify: [],
    now: () => NOW,
    manifest: manifestOf(capabilities),
    capabilities: new Map(Object.entries(capabilities)),
    limits: { invocationsPerMinute: 60, leaseMs: 30_000, clockToleranceSeconds: 5 },
    revocations: { count: 0 },
    rates: { takeAtOnce: () => false, take: (name: string, most: number) => say(`place: ${name}, of ${most}`, given.wait) },
    storage: {
      isShared: given.isShared ?? false,
      now: () => Promise.resolve(NOW),
      tokens: { chain: () => say('read again', [record]) },
      leases: {
        acquire: (key: string, owner: string) => say(`lease: ${key} for ${owner}`, given.isTaken !== true),
        release: (key: string) => say(`release: ${key}`, undefined),
      },
      intents: { record: (intent: Intent) => (intents.push(intent), say('intent', undefined)) },
      ledger: { reserve: (id: string, _: unknown, units: bigint) => say(`hold: ${units} for ${id}`, { held: true, spentUnits: 0n }) },
      approvals: { spend: (id: string) => say(`spend: ${id}`, given.isSpent !== true) },
    },
  } as unknown as Service
  const token = { claims: record.claims, record, chain: [record] as const, read: { at: NOW, afterRevocations: 0 } }
  const whole = given.composedBy && ({ invocation: { name: given.composedBy.name }, pool: given.composedBy.pool } as Whole)
  const invocation = begin({
    id: 'inv_1', name: 'book', token, request: { parameters: {}, ...(given.continues && { approval: 'continue' as const }) }, listener: { reserve: () => done.push('stream') } as never,
    ...(whole && { step: { id: 'pay', whole } }),
  })
  const presented = given.grantUntil === undefined ? {} : { presented: { grant: { expires_at: new Date(given.grantUntil).toISOString() } } }
  const approval = { ...presented, ...(given.grantId && { used: { grantId: given.grantId, approvalRequestId: 'apr_1' } }) }
  const { certainty = 'fixed', checked } = given
  const cost = checked && { certainty, financial: checked }
  const bindings = [{ type: 'quote', field: 'quote', known: { price: checked } }]
  const facts = { name: 'book', inputs: { room: 7 }, capability: declared, cost, bindings, approval } as unknown as GovernedFacts
  const taken: Reserved = given.claim === undefined ? {} : { claim: given.claim }
  const refusal = await reserve(service, invocation, facts, taken).then(
    () => undefined,
    (error: unknown) => (error instanceof Refusal ? { ...error.failure, retryAfter: error.retryAfter } : error),
  )
  for (const lease of taken.leases ?? []) await lease.release()
  return { done, intents, refusal, taken }
} // prettier-ignore

const PLACE = 'place: invoke human:ana book, of 60'

describe('a call takes', () => {
  it('a place, a stream and an intent, in this order', async () => {
    const { done, refusal, taken, intents } = await reserved({})
    expect([done, refusal, taken]).toStrictEqual([
      [PLACE, 'stream', 'intent'],
      undefined,
      { place: true, intent: true },
    ])
    expect(intents).toMatchObject([
      {
        invocation_id: 'inv_1',
        owner: 'process-1',
        started_at: NOW,
        draft: {
          invocation_id: 'inv_1',
          success: false,
          failure_type: 'outcome_unknown',
          detail: 'The service stopped before the outcome was recorded.',
        },
      },
    ])
    expect(Object.keys(intents[0]!)).toEqual(['invocation_id', 'owner', 'draft', 'started_at'])
  })

  it('no intent where nothing can be lost', async () => {
    const { done, taken } = await reserved({ capability: { side_effect: { type: 'read' } } })
    expect([done, taken]).toStrictEqual([[PLACE, 'stream'], { place: true }])
  })

  it('an intent for the amount that a reading call holds', async () => {
    const { done, intents } = await reserved({
      capability: { side_effect: { type: 'read' } },
      constraints: { budget: cumulative },
      checked: EUR,
    })
    expect(done).toEqual([PLACE, 'stream', 'intent', 'hold: 300 for inv_1'])
    expect(intents[0]).toMatchObject({ hold_id: 'inv_1' })
  })

  it('an intent for the idempotency key of a reading call', async () => {
    const claim = { key: 'k' } as never
    const { done, intents } = await reserved({ capability: { side_effect: { type: 'read' } }, claim })
    expect(done).toEqual([PLACE, 'stream', 'intent'])
    expect(intents[0]).toMatchObject({ idempotency: { key: 'k' } })
  })

  it('an intent for the grant that a reading call spends', async () => {
    const read = { capability: { side_effect: { type: 'read' } } } as const
    const { done } = await reserved({ ...read, grantUntil: NOW + 1, grantId: 'grant_1' })
    expect(done).toEqual([PLACE, 'stream', 'intent', 'spend: grant_1'])
  })

  it('the lease of an exclusive token', async () => {
    const { done } = await reserved({ constraints: { concurrent_branches: 'exclusive' } })
    expect(done).toEqual([PLACE, 'stream', 'lease: token:tok_1 for inv_1', 'intent', 'release: token:tok_1'])
  })

  it('the lease of the values by which calls exclude each other, and a step does, too', async () => {
    const exclusive = { extensions: { 'x-exclusive-by': ['room', 'day'] } }
    const { done } = await reserved({ capability: exclusive })
    expect(done).toEqual([PLACE, 'stream', expect.stringMatching(/^lease: \S+ for inv_1$/u), 'intent', expect.stringMatching(/^release: /u)])
    const step = await reserved({ capability: exclusive, composedBy: { name: 'trip', pool: undefined } })
    expect(step.done).toEqual([expect.stringMatching(/^lease: \S+ for inv_1$/u), 'intent', expect.stringMatching(/^release: /u)])
  }) // prettier-ignore

  it('nothing where another call with the same values runs', async () => {
    const { done, refusal } = await reserved({
      capability: { extensions: { 'x-exclusive-by': ['room', 'day'] } },
      isTaken: true,
    })
    expect(done).toEqual([PLACE, 'stream', expect.stringMatching(/^lease: /u)])
    expect(refusal).toMatchObject({
      type: 'concurrent_request_rejected',
      detail: 'Another invocation of book with the same room, day is in flight. Try again when it has ended.',
    })
  })

  it('a use of its grant, last', async () => {
    const { done } = await reserved({
      grantUntil: NOW + 1,
      constraints: { budget: cumulative },
      checked: EUR,
      grantId: 'grant_1',
    })
    expect(done).toEqual([PLACE, 'stream', 'intent', 'hold: 300 for inv_1', 'spend: grant_1'])
  })

  it.each([
    ['presented', { grantId: 'grant_1' }],
    ['used', { grantUntil: NOW + 1 }],
  ])('no use of a grant that is not %s', async (_, given) => {
    expect((await reserved(given)).done).toEqual([PLACE, 'stream', 'intent'])
  })

  it.each([
    [NOW + 1, 'The grant is used up. Call without it to open a new approval request.', 'consumed'],
    [NOW, 'The grant has expired.', 'expired'],
    [NOW - 1, 'The grant has expired.', 'expired'],
  ])('no use of a grant that ended meanwhile (until %i)', async (grantUntil, detail, reason) => {
    const { refusal } = await reserved({ grantUntil, isSpent: true, grantId: 'grant_1' })
    expect(refusal).toMatchObject({ type: 'approval_grant_invalid', detail, reason })
  })

  it('no use of a grant that an identical call was ahead in spending, which says to try again', async () => {
    const { refusal } = await reserved({ grantUntil: NOW + 1, isSpent: true, grantId: 'grant_1', continues: true })
    expect(refusal).toMatchObject({ type: 'concurrent_request_rejected' })
  })

  it('nothing where there is no place', async () => {
    const { done, refusal } = await reserved({ wait: 7 })
    const detail = 'Too many invocations of book. Try again in 7 s.'
    expect([done, refusal]).toMatchObject([[PLACE], { type: 'rate_limited', detail, retryAfter: 7 }])
  })
})

describe('a step takes', () => {
  const poolOf500 = () => poolOf({ currency: 'EUR', amount: 5 }, 'cost')
  const step = (name: string, certainty: 'fixed' | 'estimated', given: Given = {}) => {
    const composedBy = { name, pool: poolOf500() }
    const constraints = { budget: cumulative }
    return { ...composedBy, answer: reserved({ constraints, checked: EUR, certainty, composedBy, ...given }) }
  }

  it('its share of what the whole holds, and an intent', async () => {
    const { answer, pool } = step('trip', 'fixed')
    expect([(await answer).done, pool.left]).toEqual([['intent'], 200n])
  })

  it('an amount of its own, where the whole could not know it', async () => {
    expect((await step('trip', 'estimated').answer).done).toEqual(['intent', 'hold: 300 for inv_1'])
    expect((await step('costly', 'estimated').answer).done).toEqual(['intent'])
  })

  it('no use of a grant: the whole did', async () => {
    const given = { grantUntil: NOW + 1, grantId: 'grant_1' }
    expect((await step('trip', 'fixed', given).answer).done).toEqual(['intent'])
  })
})

describe('on a store that others share, the token is read again', () => {
  it('before an effect', async () => {
    expect((await reserved({ isShared: true })).done).toEqual([PLACE, 'stream', 'intent', 'read again'])
  })

  it('and not before what has none', async () => {
    const read = { capability: { side_effect: { type: 'read' } } } as const
    expect((await reserved({ isShared: true, ...read })).done).toEqual([PLACE, 'stream'])
  })
})
