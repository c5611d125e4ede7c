/** What the chores of a process leave behind when one of them fails, and what they take up again (section 6). */
import { describe, expect, it, vi } from 'vitest'
import { sameJson } from '../../src/runtime/json/same-json.js'
import { timestamp } from '../../src/runtime/json/timestamp.js'
import { settledWithin } from '../../src/runtime/errors/settled-within.js'
import { counterWatch } from '../../src/runtime/lifecycle/counter-watch.js'
import { maintain } from '../../src/runtime/lifecycle/maintenance.js'
import { once } from '../../src/runtime/lifecycle/process.js'
import { holdProcessLease } from '../../src/runtime/lifecycle/process-lease.js'
import { recoverOrphans } from '../../src/runtime/lifecycle/recovery.js'
import { startFixture } from './fixture/service.js'
import { draft } from './storage/examples.js'
import { StorageUnavailable } from '../../src/runtime/storage/contract.js'

describe('a process', () => {
  it('that ends gives its lease up: what it did not end is recovered at once', async () => {
    const { service: first, storage } = await startFixture()
    const { service: second } = await startFixture({ storage })
    const invocation_id = 'inv-000000000001'
    await storage.intents.record({
      invocation_id,
      owner: first.owner,
      draft: draft({ invocation_id }),
      started_at: first.now(),
    })
    expect(await recoverOrphans(second)).toBe(0)
    await first.close()
    expect(await recoverOrphans(second)).toBe(1)
  })

  it('that ends keeps its lease until what it did is durable: nobody takes it for lost meanwhile', async () => {
    const { service, storage, invoke, root } = await startFixture()
    const { token } = await root()
    const append = storage.audit.append.bind(storage.audit)
    let proceed = (): void => undefined
    const gate = new Promise<void>((resolve) => (proceed = resolve))
    const appends = vi.spyOn(storage.audit, 'append').mockImplementationOnce(async (...given) => {
      await gate
      return append(...given)
    })
    const call = invoke('search', token)
    await expect.poll(() => appends.mock.calls.length).toBe(1)
    const closing = service.close()
    const lease = `process:${service.owner}`
    expect(await storage.leases.renew(lease, service.owner, 10_000)).toBe(true)
    proceed()
    expect((await call).status).toBe(200)
    await closing
    expect(await storage.leases.renew(lease, service.owner, 10_000)).toBe(false)
  })

  it('that ends leaves the lease of every other one', async () => {
    const { service: first, storage, time } = await startFixture()
    const { service: second } = await startFixture({ storage, clock: () => time.now })
    await second.close()
    expect(await storage.leases.renew(`process:${first.owner}`, first.owner, 1)).toBe(true)
  })

  it('notes when it had to take its lease anew, and only then', async () => {
    const { service, time } = await startFixture()
    time.now += 5_000
    await holdProcessLease(service)
    expect(service.lease.heldSince).toBe(0)
    time.now += 10_001
    await holdProcessLease(service)
    expect(service.lease.heldSince).toBe(time.now)
  })
})

describe('a chore', () => {
  it('that hangs is not begun a second time, and keeps no other from its turn', async () => {
    let [hung, read] = [0, 0]
    const reloadKeys = () => (hung++, new Promise<never>(() => undefined))
    const reload = async () => (read++, [])
    const { service } = await startFixture({ reloadKeys, apiKeys: Object.assign([], { reload }), limits: { leaseMs: 9 } }) // prettier-ignore
    const stop = maintain(service)
    await expect.poll(() => read).toBeGreaterThan(3)
    await stop()
    expect(hung).toBe(1)
  })

  it('that fails is named in the log with why, and begun again', async () => {
    let read = 0
    const reload = async () => {
      if (read++ === 0) throw new Error('no such file')
      return []
    }
    const { service, logged } = await startFixture({ apiKeys: Object.assign([], { reload }), limits: { leaseMs: 9 } })
    const stop = maintain(service)
    await expect.poll(() => read).toBeGreaterThan(1)
    await stop()
    expect(logged).toContain('A chore failed. {"chore":"reload the API keys","error":"Error: no such file"}')
  })

  it('that cannot read the signing keys leaves those at hand', async () => {
    const { service, post } = await startFixture({ reloadKeys: () => Promise.reject(new Error('away')) })
    const stop = maintain(service)
    await expect.poll(() => service.alarms.all()).toEqual(['keys_unreadable'])
    await stop()
    expect((await post('/svc/tokens', 'ana-key', { scope: ['travel.search'] })).status).toBe(200)
  })
})

describe('the watch over counters', () => {
  /** A service whose trail says that 5 EUR were spent under a token, and a store that says nothing was. */
  const setBack = async () => {
    const fixture = await startFixture()
    const { token_id } = await fixture.root({ budget: { currency: 'EUR', max_amount: 9, mode: 'cumulative' } })
    const { service, storage, time } = fixture
    const about = { token_id, delegation_chain: [token_id], timestamp: new Date(time.now).toISOString() }
    await service.record({ draft: draft({ ...about, cost_charged: { currency: 'EUR', amount: 5 } }) })
    return { ...fixture, token_id, watch: counterWatch(service), texts: storage.audit.texts }
  }

  it('that could not read the trail reads on from there the next time', async () => {
    const { watch, storage, texts, service } = await setBack()
    Object.assign(storage.audit, { texts: () => Promise.reject(new StorageUnavailable('no connection')) })
    await expect(watch.compare()).rejects.toThrow('no connection')
    Object.assign(storage.audit, { texts })
    expect(await watch.compare()).toBe(1)
    expect(service.alarms.all()).toEqual(['counters_altered'])
  })

  it('counts an entry once, however often it looks', async () => {
    const { watch, storage, token_id } = await setBack()
    const { tokens } = storage.allowances
    Object.assign(storage.allowances, { tokens: async (ids: readonly string[]) => new Map([...(await tokens(ids))].map(([id, stored]) => [id, { ...stored, spentUnits: 500n }])) }) // prettier-ignore
    expect([await watch.compare(), await watch.compare(), await watch.compare()]).toEqual([0, 0, 0])
    expect((await storage.tokens.chain(token_id))?.[0].revoked_at).toBeUndefined()
  })

  it('ends what was set back once, and says how much it was', async () => {
    const { watch, storage, token_id } = await setBack()
    expect([await watch.compare(), await watch.compare()]).toEqual([1, 0])
    const [{ text } = { text: null }] = await storage.audit.texts(3, 1)
    expect(JSON.parse(text!)).toMatchObject({
      entry_type: 'integrity_failure', actor_key: 'service:integrity', event_class: 'high_risk_failure', failure_type: 'token_revoked', token_id,
      detail: `Under the token ${token_id} 5 EUR were spent, and the database says 0. It has ended.`,
    }) // prettier-ignore
  })

  it('leaves alone what has expired by now', async () => {
    const { watch, time } = await setBack()
    time.now += 2 * 3600_000
    expect(await watch.compare()).toBe(0)
  })
})

it.each<[unknown, unknown, boolean]>([
  [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
  [{ a: 1 }, { a: 1, b: 2 }, false],
  [{ a: 1, b: 2 }, { a: 1 }, false],
  [{ a: 1 }, { b: 1 }, false],
  [[], {}, false],
  [['a'], { 0: 'a' }, false],
  [[1, 2], [2, 1], false],
  [{ toString: 1 }, {}, false],
  [{ valueOf: Object.prototype.valueOf }, { a: 1 }, false],
  [null, {}, false],
  [null, null, true],
  ['1', 1, false],
  [{ a: [{ b: null }] }, { a: [{ b: null }] }, true],
])('%j and %j are the same JSON: %s', (left, right, same) => {
  expect(sameJson(left, right)).toBe(same)
}) // prettier-ignore

it('a time is written as it is, also after a later one', () => {
  expect([timestamp(1_000), timestamp(2_000), timestamp(1_000)]).toEqual([
    '1970-01-01T00:00:01.000Z',
    '1970-01-01T00:00:02.000Z',
    '1970-01-01T00:00:01.000Z',
  ])
})

it('a time beyond the year 9999 is the last of that year', () => {
  expect([timestamp(8.7e15), timestamp(Number.MAX_VALUE)]).toEqual([
    '9999-12-31T23:59:59.999Z',
    '9999-12-31T23:59:59.999Z',
  ])
})

it('what is settled in time is given, and what fails or takes longer is not', async () => {
  const never = new Promise<number>(() => undefined)
  expect(await settledWithin(Promise.resolve(7), 60_000)).toBe(7)
  expect(await settledWithin(Promise.reject(new Error('no')), 60_000)).toBeUndefined()
  expect(await settledWithin(never, 1)).toBeUndefined()
})

it('what is done once is done once, and everybody waits for it', async () => {
  let done = 0
  let finish = (): void => undefined
  const end = once(() => (done++, new Promise<void>((resolve) => (finish = resolve))))
  const waiting = Promise.all([end(), end()])
  finish()
  await waiting
  expect(done).toBe(1)
})
