/** What a service does beside answering: each chore at once, and then how often (section 6; decisions, section 13). */
import { expect, it } from 'vitest'
import { maintain } from '../../src/runtime/lifecycle/maintenance.js'
import type { NotifyTarget } from '../../src/runtime/events/targets/target.js'
import { API_KEYS, startFixture, type Fixture, type Given } from './fixture/service.js'
import { atMost, draft, freshInvocation, iso, request, token } from './storage/examples.js'

const HOUR = 3_600_000
const OPS: NotifyTarget = {
  name: 'ops',
  events: ['alarm.raised', 'approval.expired'],
  problems: [],
  deliver: async () => ({ ok: false, error: 'status 500' }),
}
const away = () => Promise.reject(new Error('away'))

/** A token that an API key bought. */
const bought = ({ storage, time }: Fixture, api_key: string) => {
  const record = token('tok_1')
  const exp = Math.floor(time.now / 1000) + 60
  return storage.tokens.insert({ ...record, claims: { ...record.claims, exp }, credential: { api_key } })
}
const at = ({ time }: Fixture) => ({ timestamp: iso(time.now) })
const types = async ({ storage }: Fixture) => (await storage.outbox.list({ limit: 9 })).map(({ type }) => type)

it.each<[string, Given, (fixture: Fixture) => unknown, (fixture: Fixture) => unknown, unknown]>([
  ['records what could not be recorded', {}, ({ service }) => service.unrecorded.push({ draft: draft() }), ({ storage }) => storage.audit.size(), 1],
  ['recovers lost invocations', {}, ({ storage }) => storage.intents.record({ invocation_id: 'inv-000000000001', owner: 'gone', draft: draft({ invocation_id: 'inv-000000000001' }), started_at: 1 }), ({ storage }) => storage.audit.sequenceOf('inv-000000000001'), 1],
  ['compares the clocks', {}, ({ storage, time }) => Object.assign(storage, { isShared: true, now: async () => time.now + 30_001 }), ({ service }) => service.alarms.has('clock_differs'), true],
  ['reads what is paused', {}, ({ storage }) => storage.operators.pause({ capability: 'search', reason: 'r', paused_by: 'human:op', paused_at: iso(0) }), ({ service }) => [...service.paused], ['search']],
  ['reads the signing keys', { reloadKeys: away }, () => undefined, ({ service }) => service.alarms.has('keys_unreadable'), true],
  ['reads the API keys', { apiKeys: Object.assign([], { reload: away }) }, () => undefined, ({ service }) => service.alarms.has('api_keys_unreadable'), true],
  ['compares counters with the trail', {}, async ({ service, root, time }) => {
    const { token_id } = await root({ budget: { currency: 'EUR', max_amount: 9, mode: 'cumulative' } })
    await service.record({ draft: draft({ token_id, delegation_chain: [token_id], timestamp: iso(time.now), cost_charged: { currency: 'EUR', amount: 5 } }) })
  }, ({ service }) => service.alarms.has('counters_altered'), true],
  ['ends what ended API keys bought', { apiKeys: API_KEYS }, (fixture) => bought(fixture, 'gone'), async ({ storage }) => (await storage.tokens.chain('tok_1'))?.[0].revoked_at !== undefined, true],
  ['looks for tokens of unknown API keys', {}, (fixture) => bought(fixture, 'unknown'), ({ service }) => service.alarms.has('api_key_unknown'), true],
  ['reports approvals that expired', { notify: [OPS] }, async ({ storage, time }) => {
    await storage.approvals.open(await request(storage, 'who', 1_000), atMost(9))
    time.now += 1_000
  }, types, ['approval.expired']],
  ['reports alarms', { notify: [OPS] }, ({ service }) => service.alarms.add('trail_altered'), types, ['alarm.raised']],
  ['gives up events', { notify: [OPS] }, async ({ storage, time }) => {
    await storage.outbox.add([{ id: 'e', type: 'alarm.raised', subject: 's', body: '{}', targets: ['ops'] }])
    time.now += 72 * HOUR
  }, ({ service }) => service.alarms.has('events_undelivered'), true],
  ['sweeps the store', {}, async ({ storage, time }) => {
    await storage.bindings.insert({ binding_id: 'bnd_1', type: 'quote', capability: 'c', root_principal: 'human:a', issued_at: 1, expires_at: time.now })
    time.now += 7 * 24 * HOUR + 1
  }, ({ storage }) => storage.bindings.get('bnd_1'), undefined],
  ['records what was refused beyond the rate', {}, ({ service }) => service.refusalTally.count('human:ana', 'scope_insufficient'), ({ storage }) => storage.audit.size(), 1],
  ['logs what was refused', {}, ({ service }) => service.refusalCounter.count('tokens', 'invalid_parameters'), ({ logged }) => logged.includes('Requests were refused in the last minute. {"counts":{"tokens invalid_parameters":1}}'), true],
  ['erases what is kept no longer', {}, async (fixture) => {
    await fixture.service.record({ draft: draft({ invocation_id: freshInvocation(), ...at(fixture) }), retentionMs: 1 })
    fixture.time.now += 1
    await fixture.service.record({ draft: draft({ invocation_id: freshInvocation(), ...at(fixture) }) })
  }, async ({ storage }) => (await storage.audit.texts(1, 1))[0]?.text, null],
])('%s', async (_, given, prepare, found, expected) => {
  const fixture = await startFixture(given)
  await prepare(fixture)
  const stop = maintain(fixture.service, { every: () => () => undefined, uptime: () => 0 })
  await expect.poll(() => found(fixture)).toEqual(expected)
  await stop()
}) // prettier-ignore

it('raises an alarm where the log drops lines, for a minute after the last', async () => {
  let dropped = 0
  const { service } = await startFixture()
  Object.assign(service.log, { dropped: () => dropped })
  const chores: (() => Promise<unknown>)[] = []
  const stop = maintain(service, { every: (work, ms) => (ms === 5_000 && chores.push(work), () => undefined), uptime: () => 0 }) // prettier-ignore
  const passing = async (times: number) => {
    for (let time = 0; time < times; time++) for (const work of chores) await work()
    return service.alarms.has('log_lines_dropped')
  }
  expect(await passing(1)).toBe(false)
  dropped = 3
  expect([await passing(1), await passing(11), await passing(1)]).toEqual([true, true, false])
  await stop()
})

it('what was erased is covered by a checkpoint at once, so that an export shows who accounts for it', async () => {
  const fixture = await startFixture()
  const { service, storage, time } = fixture
  await service.record({ draft: draft({ invocation_id: freshInvocation(), ...at(fixture) }), retentionMs: 1 })
  time.now += 1
  await service.record({ draft: draft({ invocation_id: freshInvocation(), ...at(fixture) }) })
  const stop = maintain(service, { every: () => () => undefined, uptime: () => 0 })
  await expect.poll(async () => (await storage.checkpoints.latest())?.entry_count).toBe(3)
  await stop()
})

it.each([
  [9_000, [1_000, 1_000, 3_000, 1_000, 9_000, 4_500, 500, 9_000, 9_000, 10_000, 60_000, 60_000, 500, 60_000, 5_000, 5_000, 30_000, 1_000, 60_000, 60_000, 60_000, 60_000, HOUR]],
  [300, [1_000, 1_000, 100, 300, 300, 150, 500, 300, 300, 10_000, 60_000, 60_000, 500, 60_000, 5_000, 5_000, 30_000, 1_000, 60_000, 60_000, 60_000, 60_000, HOUR]],
] as const)('each has its interval where a lease lasts %i ms, until the service ends', async (leaseMs, intervals) => {
  const { service } = await startFixture({ limits: { leaseMs }, notify: [OPS] })
  const running: number[] = []
  const every = (_: unknown, ms: number) => {
    const turn = running.push(ms) - 1
    return () => void delete running[turn]
  }
  const stop = maintain(service, { every, uptime: () => 0 })
  expect(running).toEqual(intervals)
  await stop()
  expect(running.filter(() => true)).toEqual([])
}) // prettier-ignore
