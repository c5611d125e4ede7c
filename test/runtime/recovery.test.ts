import { draft } from './storage/examples.js'
import { describe, expect, it } from 'vitest'
import { recoverOrphans } from '../../src/runtime/lifecycle/recovery.js'
import { recordUnrecorded } from '../../src/runtime/call/settle/waiting.js'
import { holdProcessLease } from '../../src/runtime/lifecycle/process-lease.js'
import { StorageUnavailable } from '../../src/runtime/storage/contract.js'
import { openSqlite } from '../../src/runtime/storage/sqlite/index.js'
import { capability } from './fixture/manifest.js'
import { startFixture, type Fixture } from './fixture/service.js'

const capabilities = {
  pay: capability({
    side_effect: { type: 'irreversible' },
    cost: { certainty: 'fixed', financial: { currency: 'EUR', amount: 5 } },
  }),
}

/** Time passes, and a process goes on holding its lease. */
async function passWith({ service, time }: Fixture, other: Fixture['time'], ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 2_500) {
    for (const each of new Set([time, other])) each.now += Math.min(2_500, ms - passed)
    await holdProcessLease(service)
  }
}

describe('an invocation whose process is gone', () => {
  it('is left alone for as long as a lease lasts by a process that was cut off itself', async () => {
    const { invoke, root, storage, time } = await startFixture({
      capabilities,
      handlers: { pay: () => new Promise(() => undefined) },
    })
    const second = await startFixture({ storage, clock: () => time.now })
    void invoke('pay', (await root()).token)
    while ((await storage.intents.orphans(1)).length === 0) {
      time.now += 11_000
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    expect(await recoverOrphans(second.service)).toBe(0)
    time.now += 5_000
    expect(await recoverOrphans(second.service)).toBe(0)
    time.now += 5_000
    expect(await recoverOrphans(second.service)).toBe(1)
  })

  it('gets its entry once, keeps what it held, and is not run again under its key', async () => {
    const effects: number[] = []
    const pay = () => new Promise(() => void effects.push(1))
    const first = await startFixture({ capabilities, handlers: { pay }, limits: { handlerTimeoutMs: 60_000 } })
    const { token, token_id } = await first.root({ budget: { currency: 'EUR', max_amount: 9, mode: 'cumulative' } })
    void first.invoke('pay', token, { parameters: {} }, { 'idempotency-key': 'k' })
    while (effects.length === 0) await new Promise((resolve) => setTimeout(resolve, 1))
    const second = await startFixture({ capabilities, handlers: { pay }, storage: first.storage })
    expect(await recoverOrphans(second.service)).toBe(0)
    await passWith(second, first.time, 10_001)
    expect(await recoverOrphans(second.service)).toBe(1)
    expect(await recoverOrphans(second.service)).toBe(0)
    const [entry] = await second.trail(token)
    expect(entry).toMatchObject({
      capability: 'pay',
      success: false,
      failure_type: 'outcome_unknown',
      event_class: 'high_risk_failure',
      cost_held: { currency: 'EUR', amount: 5 },
    })
    expect(await second.storage.ledger.spent(token_id)).toBe(5_00n)
    const again = await second.invoke('pay', token, { parameters: {} }, { 'idempotency-key': 'k' })
    expect([
      again.body['failure']?.['type'],
      again.body['invocation_id'],
      again.headers.get('idempotency-replayed'),
    ]).toEqual(['outcome_unknown', entry?.['invocation_id'], 'true'])
    expect(effects.length).toBe(1)
  })
})

it('an invocation that was presumed dead is not answered as done', async () => {
  const begun: ((result: object) => void)[] = []
  const pay = () => new Promise<object>((resolve) => void begun.push(resolve))
  const first = await startFixture({ capabilities, handlers: { pay }, limits: { handlerTimeoutMs: 60_000 } })
  const { token } = await first.root()
  const reply = first.invoke('pay', token)
  while (begun.length === 0) await new Promise((resolve) => setTimeout(resolve, 1))
  const second = await startFixture({ capabilities, storage: first.storage })
  await passWith(second, first.time, 10_001)
  expect(await recoverOrphans(second.service)).toBe(1)
  begun[0]!({})
  expect((await reply).body['failure']).toMatchObject({
    type: 'outcome_unknown',
    detail: 'Another process presumed this invocation dead and recorded its outcome as unknown.',
  })
  expect((await first.trail(token, '?capability=pay')).length).toBe(1)
})

it('an invocation that was presumed dead before it began leaves its key to the call that does', async () => {
  const time = { now: Date.parse('2030-01-01T00:00:00Z') }
  const clock = () => time.now
  const opened = await openSqlite({ file: ':memory:', clock })
  const waits: (() => void)[] = []
  const reserve: typeof opened.ledger.reserve = async (...given) => {
    if (waits.length > 0) return opened.ledger.reserve(...given)
    await new Promise<void>((resolve) => void waits.push(resolve))
    return { held: false, tokenId: 'tok_above', spentUnits: 900n }
  }
  const storage = { ...opened, ledger: { ...opened.ledger, reserve } }
  const first = await startFixture({ capabilities, storage, clock })
  const { token } = await first.root({ budget: { currency: 'EUR', max_amount: 9, mode: 'cumulative' } })
  const pay = async () => (await first.invoke('pay', token, { parameters: {} }, { 'idempotency-key': 'k' })).body
  const paying = pay()
  while (waits.length === 0) await new Promise((resolve) => setTimeout(resolve, 1))
  const second = await startFixture({ capabilities, storage: opened, clock })
  await passWith(second, time, 10_001)
  expect(await recoverOrphans(second.service)).toBe(1)
  expect((await second.trail(token, '?capability=pay'))[0]).not.toHaveProperty('cost_held')
  waits[0]!()
  expect((await paying)['failure']).toMatchObject({ type: 'budget_exceeded' })
  expect((await pay())['success']).toBe(true)
})

it('an invocation goes on when the clock of its process is set forward', async () => {
  let finish: (output: object) => void = () => undefined
  const begun = new Promise<void>((begin) => {
    finish = () => begin()
  })
  const pay = () =>
    new Promise((resolve) => {
      finish({})
      finish = resolve
    })
  const { root, invoke, service, time } = await startFixture({ capabilities, handlers: { pay } })
  const { token } = await root({ budget: { currency: 'EUR', max_amount: 9 } })
  const paying = invoke('pay', token)
  await begun
  time.now += 60_000
  expect(await recoverOrphans(service)).toBe(0)
  finish({})
  expect((await paying).body).toMatchObject({ success: true })
})

describe('a store that cannot take an entry', () => {
  const failing = async (clock = Date.now) => {
    const storage = await openSqlite({ file: ':memory:', clock })
    const state = { fails: false }
    const append: typeof storage.audit.append = (...given) =>
      state.fails ? Promise.reject(new StorageUnavailable('no')) : storage.audit.append(...given)
    return { state, storage: { ...storage, audit: { ...storage.audit, append } } }
  }

  it('lets nobody be told of success; the outcome is recorded when the store is back', async () => {
    const { state, storage } = await failing()
    const { root, invoke, trail, service, call } = await startFixture({ capabilities, storage })
    const { token } = await root()
    state.fails = true
    const reply = await invoke('pay', token)
    expect([reply.status, reply.body['failure']?.['type']]).toEqual([500, 'outcome_unknown'])
    expect((await call('GET', '/-/ready')).body['alarms']).toEqual(['audit_unavailable'])
    state.fails = false
    await recordUnrecorded(service)
    expect((await trail(token))[0]).toMatchObject({ capability: 'pay', success: true })
    expect((await call('GET', '/-/ready')).body['alarms']).toEqual([])
  })

  it('makes a read fail in a way that may be tried again', async () => {
    const { state, storage } = await failing()
    const { root, invoke } = await startFixture({ storage })
    const { token } = await root()
    state.fails = true
    expect((await invoke('search', token)).body['failure']).toMatchObject({ type: 'service_unavailable', retry: true })
  })

  it('that was cut off for long answers a keyed call with a retry, and then runs it under its key', async () => {
    const time = { now: Date.parse('2030-01-01T00:00:00Z') }
    const clock = () => time.now
    const { state, storage } = await failing(clock)
    const record: typeof storage.intents.record = async (intent) => {
      await storage.intents.record(intent)
      if (state.fails) throw new StorageUnavailable('The answer was lost.')
    }
    let effects = 0
    const first = await startFixture({
      capabilities,
      handlers: { pay: () => ((effects += 1), {}) },
      storage: { ...storage, intents: { ...storage.intents, record } },
      clock,
    })
    const { token } = await first.root()
    const pay = () => first.invoke('pay', token, { parameters: {} }, { 'idempotency-key': 'k' })
    state.fails = true
    expect((await pay()).body['failure']).toMatchObject({ type: 'service_unavailable', retry: true })
    state.fails = false
    const sibling = await startFixture({ capabilities, storage, clock })
    await passWith(sibling, time, 10_001)
    expect(await recoverOrphans(sibling.service)).toBe(1)
    expect((await pay()).body['failure']).toMatchObject({ type: 'outcome_unknown' })
    await recordUnrecorded(first.service)
    expect([(await pay()).body['success'], effects]).toEqual([true, 1])
    expect([(await pay()).body['success'], effects]).toEqual([true, 1])
  })

  it('keeps a handler with effects from running when the intent cannot be written', async () => {
    const storage = await openSqlite({ file: ':memory:' })
    let effects = 0
    const { root, invoke } = await startFixture({
      capabilities,
      handlers: { pay: () => ((effects += 1), {}) },
      storage: {
        ...storage,
        intents: { ...storage.intents, record: () => Promise.reject(new StorageUnavailable('no')) },
      },
    })
    const reply = await invoke('pay', (await root()).token)
    expect([reply.status, reply.body['failure']?.['type'], effects]).toEqual([503, 'service_unavailable', 0])
  })
})

it('what could not be recorded is recorded in its order, each once, and waits where the first still cannot be', async () => {
  const { service, storage } = await startFixture()
  const [first, second, third] = [draft(), draft(), draft()]
  service.unrecorded.push({ draft: first }, { draft: second }, { draft: third })
  const { append } = storage.audit
  Object.assign(storage.audit, { append: () => Promise.reject(new StorageUnavailable('Full.')) })
  await expect(recordUnrecorded(service)).rejects.toThrow('Full.')
  expect(service.unrecorded).toHaveLength(3)
  Object.assign(storage.audit, { append })
  service.alarms.add('audit_unavailable')
  await recordUnrecorded(service)
  const texts = (await storage.audit.texts(1, 10)).map(({ text }) => JSON.parse(text!) as { invocation_id: string })
  expect(texts.map(({ invocation_id }) => invocation_id)).toEqual(
    [first, second, third].map((each) => each.invocation_id),
  )
  expect([service.unrecorded.length, service.alarms.all()]).toEqual([0, []])
})

it('what was lost with its process is recorded without texts that cannot be written down, and so is what was lost after it', async () => {
  const time = { now: Date.parse('2030-01-01T00:00:00Z') }
  const { service, storage } = await startFixture({ capabilities, clock: () => time.now })
  const lost = (id: string, detail: string) => storage.intents.record({ invocation_id: id, owner: 'gone', draft: draft({ invocation_id: id, detail }), started_at: 1 })
  await lost('inv-000000000001', '\ud83d')
  await lost('inv-000000000002', 'Whole.')
  const before = await storage.audit.size()
  await expect.poll(async () => (time.now += 5_000, recoverOrphans(service))).toBe(2)
  const entries = (await storage.audit.texts(before + 1, 9)).map(({ text }) => JSON.parse(text!) as object)
  expect(entries).toMatchObject([{ invocation_id: 'inv-000000000001', parameters: {} }, { invocation_id: 'inv-000000000002', detail: 'Whole.' }])
}) // prettier-ignore
