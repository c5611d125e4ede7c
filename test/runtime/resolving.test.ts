/** Invocations of unknown outcome, and what an operator finds out about them, on both stores (decisions, section 11). */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tallies } from '../../src/crypto/trail/tallies.js'
import { counters } from '../../src/crypto/trail/counters.js'
import type { JsonObject } from '../../src/protocol/manifest.js'
import { counterWatch } from '../../src/runtime/lifecycle/counter-watch.js'
import type { HandlerContext } from '../../src/runtime/index.js'
import type { Storage } from '../../src/runtime/storage/contract.js'
import { openPostgres } from '../../src/runtime/storage/postgres/index.js'
import { openSqlite } from '../../src/runtime/storage/sqlite/index.js'
import { capability, input } from './fixture/manifest.js'
import { API_KEYS, startFixture, type Entry } from './fixture/service.js'
import { startPostgres, type PostgresServer } from './storage/postgres-server.js'

const financial = { currency: 'EUR', amount: 100 }
const effect = { type: 'irreversible' } as const
const paying = capability({ side_effect: effect, inputs: [input('how')], cost: { certainty: 'dynamic', financial: { currency: 'EUR', upper_bound: 100 } } }) // prettier-ignore
const capabilities = {
  pay: paying,
  send: capability({ side_effect: effect, inputs: [input('how')] }),
  trip: capability({
    side_effect: effect,
    inputs: [input('how')],
    cost: { certainty: 'fixed', financial: { currency: 'EUR', amount: 200 } },
    composition: {
      authority_boundary: 'same_service',
      steps: [{ id: 'first', capability: 'pay' }, { id: 'second', capability: 'pay' }],
      input_mapping: { first: { how: '$.input.how' }, second: { how: '$.input.how' } },
      output_mapping: {},
      empty_result_policy: 'return_success_no_results',
      failure_policy: { child_approval_required: 'propagate', child_denial: 'propagate', child_timeout: 'propagate', child_error: 'propagate' },
      audit_policy: { record_child_invocations: true, parent_task_lineage: true },
    },
  } as never),
} // prettier-ignore

let calls = 0
/** `breaks` fails after it has begun; `reports` says before that what it cost; `second` breaks every second time. */
const act = ({ how }: { readonly how: string }, context: HandlerContext): object => {
  calls++
  if (how === 'reports') context.cost.report({ currency: 'EUR', amount: 40 })
  if (how === 'second' && calls % 2 === 1) context.cost.report({ currency: 'EUR', amount: 30 })
  if (how === 'breaks' || how === 'reports' || (how === 'second' && calls % 2 === 0)) throw new Error('The wire broke.')
  return {}
}
const handlers = { pay: act, send: act }

const KEYS = [
  ...API_KEYS,
  { id: 'aud', principal: 'human:aud', roles: ['auditor'], sha256: createHash('sha256').update('aud-key').digest('hex') },
] as const // prettier-ignore

describe.each(['SQLite', 'PostgreSQL'])('on %s', (engine) => {
  let server: PostgresServer | undefined
  const opened: Storage[] = []
  let made = 0
  beforeAll(async () => {
    if (engine === 'PostgreSQL') server = await startPostgres(['fsync=off'])
  }, 60_000)
  afterAll(async () => {
    await Promise.all(opened.map((each) => each.close()))
    await server?.stop()
  })

  const start = async () => {
    const storage =
      server === undefined
        ? await openSqlite({ file: ':memory:' })
        : await openPostgres({ connectionString: await server.database(`resolving_${++made}`), schema: 'migrate' })
    opened.push(storage)
    calls = 0
    const fixture = await startFixture({ storage, apiKeys: KEYS, capabilities, handlers, clock: Date.now })
    const { post, root, invoke } = fixture
    const { token, token_id } = await root({ budget: { currency: 'EUR', max_amount: 500, mode: 'cumulative' } })
    const lost = async (name: string, how = 'breaks') => {
      const { body } = await invoke(name, token, { parameters: { how } })
      return body['invocation_id'] as string
    }
    const resolve = (id: string, body: object, bearer = 'op-key') =>
      post(`/-/invocations/${id}/resolve`, bearer, { reason: 'The supplier said so.', ...body })
    const spent = async () => Number(await storage.ledger.spent(token_id)) / 100
    const trail = async () =>
      ((await post('/-/audit', 'aud-key')).body['entries'] as unknown as readonly Entry[]).toReversed()
    /** What the trail says at least is spent, and what a verifier says of it. */
    const judged = async () => {
      const [known, checked] = [tallies(), counters()]
      const entries = (await trail()) as unknown as readonly JsonObject[]
      const troubles = entries.flatMap((entry) => (known.note(entry), checked.note(entry) ?? []))
      return [Number(known.tokens.get(token_id)?.spent.get('EUR') ?? 0n) / 100, troubles]
    }
    const ended = () => counterWatch(fixture.service).compare()
    return { ...fixture, token, lost, resolve, spent, trail, judged, ended }
  }

  it('stays reserved until somebody says what happened, which counts from then on', async () => {
    const { lost, resolve, spent, trail, judged, ended } = await start()
    const id = await lost('pay')
    expect(await spent()).toBe(100)
    const { status, body } = await resolve(id, { happened: true, amount: 60.5 })
    expect([status, body]).toEqual([200, { resolved: true, invocation_id: id, happened: true, cost: { currency: 'EUR', amount: 60.5 }, released: { currency: 'EUR', amount: 39.5 } }]) // prettier-ignore
    expect(await spent()).toBe(60.5)
    const entry = (await trail()).at(-1)!
    expect(entry).toMatchObject({ entry_type: 'operator_action', actor_key: 'human:op', capability: 'pay', parent_invocation_id: id, credential: { api_key: 'op' } }) // prettier-ignore
    expect(entry['operated']).toEqual({ name: 'invocation_resolved', target: { invocation_id: id }, happened: true, cost: { currency: 'EUR', amount: 60.5 }, reason: 'The supplier said so.' }) // prettier-ignore
    expect(await judged()).toEqual([60.5, []])
    expect(await ended()).toBe(0)
  })

  it('gives everything back where nothing happened, also what the handler had reported, and no watch takes offence', async () => {
    const { lost, resolve, spent, judged, ended, invoke, token } = await start()
    const id = await lost('pay', 'reports')
    expect([await spent(), await judged()]).toEqual([100, [100, []]])
    expect(await ended()).toBe(0)
    expect((await resolve(id, { happened: false })).body['released']).toEqual({ currency: 'EUR', amount: 100 })
    expect([await spent(), await judged()]).toEqual([0, [0, []]])
    expect(await ended()).toBe(0)
    for (let times = 0; times < 5; times++)
      expect((await invoke('pay', token, { parameters: { how: 'well' } })).body['success']).toBe(true)
    expect(await judged()).toEqual([500, []])
  })

  it('keeps all that was reserved where it happened at no known amount, and flags what exceeds it', async () => {
    const { lost, resolve, spent, trail, judged, ended } = await start()
    const [all, more] = [await lost('pay'), await lost('pay')]
    expect((await resolve(all, { happened: true })).body).toEqual({ resolved: true, invocation_id: all, happened: true, cost: financial }) // prettier-ignore
    expect((await resolve(more, { happened: true, amount: 450 })).body['cost']).toEqual({ currency: 'EUR', amount: 450 }) // prettier-ignore
    expect((await trail()).at(-1)!['cost_exceeded']).toBe(true)
    expect(await spent()).toBe(550)
    expect(await judged()).toEqual([550, []])
    expect(await ended()).toBe(0)
  })

  it.each([
    ['pay', 1],
    ['send', 0],
  ])('of %s names the tokens under which something was held, and no others', async (name, count) => {
    const { lost, resolve, trail } = await start()
    const id = await lost(name)
    expect((await resolve(id, { happened: true })).status).toBe(200)
    const entry = (await trail()).at(-1)!
    expect([entry['capability'], entry['delegation_chain']]).toMatchObject([name, { length: count }])
  })

  it('is resolved once, whoever says it first', async () => {
    const { lost, resolve, spent, trail } = await start()
    const id = await lost('pay')
    const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => resolve(id, { happened: true, amount: n })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 7 }, () => 404)])
    const { body } = answers.find(({ status }) => status === 200)!
    expect(await spent()).toBe(body['cost']!['amount'])
    expect((await trail()).filter((entry) => entry['entry_type'] === 'operator_action')).toHaveLength(1)
    expect((await resolve(id, { happened: false })).body['failure']!['detail']).toBe(`The outcome of ${id} was resolved already.`) // prettier-ignore
  })

  it('takes no amount below what its steps have spent', async () => {
    const { lost, resolve, spent, judged, ended, trail } = await start()
    const id = await lost('trip', 'second')
    expect((await trail()).at(-1)).toMatchObject({ invocation_id: id, success: false })
    expect(await spent()).toBe(200)
    expect((await resolve(id, { happened: false })).body['failure']).toMatchObject({ type: 'invalid_parameters', detail: 'Its steps have spent 30 EUR: say that it happened, with at least that amount.' }) // prettier-ignore
    expect((await resolve(id, { happened: true, amount: 30 })).body['released']).toEqual({ currency: 'EUR', amount: 170 }) // prettier-ignore
    expect([await spent(), await judged()]).toEqual([30, [30, []]])
    expect(await ended()).toBe(0)
  })

  it('takes no call of somebody else for a step, whichever parent it names', async () => {
    const { lost, resolve, invoke, issued } = await start()
    const id = await lost('trip')
    const eve = await issued('eve-key', { scope: ['travel.search'] })
    const named = { parameters: { how: 'well' }, parent_invocation_id: id }
    expect((await invoke('pay', eve.token, named)).body['cost_actual']).toEqual(financial)
    expect((await resolve(id, { happened: false })).status).toBe(200)
  })

  it('is for operators alone, and for invocations whose outcome is unknown', async () => {
    const { lost, resolve, invoke, token, spent, trail } = await start()
    const [id, done] = [await lost('pay'), (await invoke('pay', token, { parameters: { how: 'well' } })).body]
    for (const bearer of ['ana-key', 'bob-key', 'aud-key', 'eve-key', token])
      expect((await resolve(id, { happened: false }, bearer)).body['failure']!['type']).toBe('insufficient_authority')
    const refused: readonly (readonly [string, object, string])[] = [
      [done['invocation_id'] as string, { happened: false }, 'is known: there is nothing to resolve'],
      ['inv-00000000ffff', { happened: false }, 'it has not ended, was erased, or never was'],
      ['inv-x', { happened: false }, 'inv- and 12 lower-case hex digits'],
      [id, {}, 'The member happened is required'],
      [id, { happened: 'no' }, 'must be true or false'],
      [id, { happened: false, amount: 1 }, 'has no amount'],
      [id, { happened: true, amount: -1 }, 'a number, 0 or above'],
      [id, { happened: true, amount: 1.001 }, 'no more decimals than it has'],
      [id, { happened: true, amount: 1e17 }, 'one of EUR'],
      [id, { happened: true, reason: '' }, '1 to 1000 characters'],
      [id, { happened: true, reason: null }, 'The member reason is required'],
      [id, { happened: true, currency: 'USD' }, 'unknown members'],
    ]
    for (const [of, body, detail] of refused)
      expect((await resolve(of, body)).body['failure']?.['detail']).toContain(detail)
    expect(await spent()).toBe(200)
    expect((await trail()).filter((entry) => entry['entry_type'] === 'operator_action')).toEqual([])
  })

  it('needs no budget: what costs nothing is resolved without an amount', async () => {
    const { lost, resolve } = await start()
    const [one, two] = [await lost('send'), await lost('send')]
    expect((await resolve(one, { happened: true })).body).toEqual({ resolved: true, invocation_id: one, happened: true }) // prettier-ignore
    expect((await resolve(two, { happened: true, amount: 1 })).body['failure']!['detail']).toContain('costs no money')
    expect((await resolve(two, { happened: false })).body['resolved']).toBe(true)
  })
})
