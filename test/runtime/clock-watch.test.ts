import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { clockWatch } from '../../src/runtime/lifecycle/clock-watch.js'
import { maintain } from '../../src/runtime/lifecycle/maintenance.js'
import { makeCheckpoint } from '../../src/runtime/checkpoints/make.js'
import { openSqlite, openSqliteSchema } from '../../src/runtime/storage/sqlite/index.js'
import { capability } from './fixture/manifest.js'
import { KEYS, startFixture } from './fixture/service.js'
import { draft, token } from './storage/examples.js'

const AUDIT = KEYS.keys[2]!
const HOUR = 3600_000
const START = Date.parse('2020-03-01T12:00:00.000Z')
let folder = ''
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'svc-clock-'))))
afterEach(() => rmSync(folder, { recursive: true }))

const capabilities = { search: capability({ observability: { logged: true, retention: 'P1D' } }) }

async function serviceAt(now: number) {
  const time = { now }
  const clock = () => time.now
  const storage = await openSqlite({ file: join(folder, 'service.db'), clock })
  const { service, logged } = await startFixture({ storage, clock, capabilities })
  const record = () => service.record({ draft: draft({ capability: 'search', timestamp: new Date(time.now).toISOString() }) })
  return { time, storage, service, logged, record }
} // prettier-ignore

/** A service that ran for a while, and whose data is there at its next start. */
async function usedService(): Promise<void> {
  const { storage, record, time } = await serviceAt(START)
  await record()
  time.now += 5000
  await record()
  await storage.tokens.insert({ ...token('tok_old'), claims: { ...token('tok_old').claims, exp: START / 1000 + 60 } })
  await storage.close()
}

it.each([
  ['three years', 3 * 365 * 24 * HOUR],
  ['two hours', 2 * HOUR],
])('N09, M7: one start with a clock that is %s ahead sweeps and erases nothing, and says so', async (_, ahead) => {
  await usedService()
  const { service, storage, logged, record } = await serviceAt(START + ahead)
  const stop = maintain(service)
  await expect.poll(() => service.alarms.all()).toContain('clock_unconfirmed')
  // What is recorded meanwhile does not confirm the clock by which it was.
  await record()
  await record()
  await stop()
  expect((await storage.audit.texts(1, 2)).map(({ text }) => text !== null)).toEqual([true, true])
  expect(await storage.tokens.chain('tok_old')).toBeDefined()
  expect(logged.join()).toContain('The clock is ahead of all that was vouched for.')
  expect(await storage.clock.state()).toEqual({ confirmed: START, doubted: { vouched: START, waited: 0 } })
  await storage.close()
})

it('a clock that is near what was recorded is believed, and vouched for', async () => {
  await usedService()
  const { service, storage, time } = await serviceAt(START + 30 * 60_000)
  const uptime = { ms: 0 }
  const clock = clockWatch(service, () => uptime.ms)
  expect(await clock.confirmed()).toBe(time.now)
  expect(await storage.clock.state()).toEqual({ confirmed: time.now })
  // Idle for days, minute after minute.
  for (let minute = 0; minute < 300; minute++) {
    time.now += 60_000
    uptime.ms += 60_000
    expect(await clock.confirmed()).toBe(time.now)
  }
  // Set ahead while the service runs.
  time.now += 2 * HOUR
  expect(await clock.confirmed()).toBeUndefined()
  expect(service.alarms.all()).toEqual(['clock_unconfirmed'])
  time.now -= 2 * HOUR
  expect(await clock.confirmed()).toBe(time.now)
  expect(service.alarms.all()).toEqual([])
  await storage.close()
})

it('after a stop the clock is believed when the service has run for as long as it was stopped', async () => {
  await usedService()
  const { service, storage, time } = await serviceAt(START + 5 * HOUR)
  const uptime = { ms: 0 }
  const clock = clockWatch(service, () => uptime.ms)
  for (const hour of [0, 1, 4]) {
    uptime.ms = hour * HOUR
    time.now = START + 5 * HOUR + uptime.ms
    expect(await clock.confirmed()).toBeUndefined()
  }
  uptime.ms = 5 * HOUR
  time.now = START + 10 * HOUR
  expect(await clock.confirmed()).toBe(time.now)
  await storage.close()
})

const YEARS = 3 * 365 * 24 * HOUR

it('N09: what was recorded by a clock that is doubted does not vouch for it at the next start, nor after a right one', async () => {
  await usedService()
  const first = await serviceAt(START + YEARS)
  await first.record()
  await makeCheckpoint({ storage: first.storage, signer: () => AUDIT.signer!, keys: () => [AUDIT], clock: () => first.time.now, newId: () => 'ckp_1' })
  expect((await first.storage.checkpoints.latest())?.created_at).toBe(new Date(START + YEARS).toISOString())
  await first.storage.close()
  const second = await serviceAt(START + YEARS + 60_000)
  expect(second.service.alarms.all()).toEqual(['clock_unconfirmed'])
  expect(await second.service.clock.confirmed()).toBeUndefined()
  await second.storage.close()
  const third = await serviceAt(START + 60_000)
  expect(third.service.alarms.all()).toEqual([])
  await third.storage.close()
  const fourth = await serviceAt(START + YEARS + 120_000)
  expect(fourth.service.alarms.all()).toEqual(['clock_unconfirmed'])
  await fourth.storage.close()
}) // prettier-ignore

it('N09: processes wait for as long as the clock is ahead one after the other', async () => {
  await usedService()
  const { service, storage, time } = await serviceAt(START + 5 * HOUR)
  const run = async (hours: number) => {
    const uptime = { ms: 0 }
    const clock = clockWatch(service, () => uptime.ms)
    expect(await clock.confirmed()).toBeUndefined()
    uptime.ms += hours * HOUR
    time.now += hours * HOUR
    return clock.confirmed()
  }
  expect([await run(2), await run(2.5), (await storage.clock.state()).doubted?.waited]).toEqual([
    undefined,
    undefined,
    4.5 * HOUR,
  ])
  expect(await run(0.5)).toBe(time.now)
  expect(await storage.clock.state()).toEqual({ confirmed: time.now })
  await storage.close()
})

it('a clock that another replica, or the owner of the database, vouched for is believed', async () => {
  await usedService()
  const { service, storage, time } = await serviceAt(START + 5 * HOUR)
  const clock = clockWatch(service, () => 0)
  expect(await clock.confirmed()).toBeUndefined()
  const schema = await openSqliteSchema({ file: join(folder, 'service.db'), clock: () => time.now })
  expect(await schema.confirmClock()).toEqual({ now: time.now, confirmed: time.now })
  await schema.close()
  expect(await clock.confirmed()).toBe(time.now)
  expect(service.alarms.all()).toEqual([])
  await storage.close()
})

it('the time that a process ran, in parts of a millisecond, is read at the next start', async () => {
  const { service, storage } = await serviceAt(START)
  let uptime = 0.25
  const clock = clockWatch(service, () => uptime)
  await clock.confirmed()
  uptime = 1000.75
  await clock.confirmed()
  await storage.close()
  const again = await serviceAt(START)
  expect(await again.storage.clock.state()).toEqual({ confirmed: START + 1001 })
  await again.storage.close()
})

it('the owner of a database takes back what was believed too soon', async () => {
  const { service, storage, time } = await serviceAt(START + YEARS)
  const clock = clockWatch(service, () => 0)
  expect(await clock.confirmed()).toBe(time.now)
  time.now = START
  expect(await clock.confirmed()).toBe(START)
  expect(service.alarms.all()).toEqual(['clock_unconfirmed'])
  const schema = await openSqliteSchema({ file: join(folder, 'service.db'), clock: () => time.now })
  await schema.confirmClock()
  await schema.close()
  expect(await clock.confirmed()).toBe(START)
  expect([service.alarms.all(), await storage.clock.state()]).toEqual([[], { confirmed: START }])
  time.now = START + YEARS
  expect(await clock.confirmed()).toBeUndefined()
  await storage.close()
})

it('a right clock is believed, whoever wrote an earlier time', async () => {
  const { service, storage, time } = await serviceAt(START)
  const clock = clockWatch(service, () => 0)
  expect(await clock.confirmed()).toBe(START)
  await storage.clock.confirm(START - 3 * HOUR)
  time.now += 60_000
  expect(await clock.confirmed()).toBe(START + 60_000)
  await storage.close()
})

it('a clock that was behind makes nobody doubt the right one', async () => {
  await usedService()
  const { service, storage, time } = await serviceAt(0)
  const clock = clockWatch(service, () => 0)
  expect(await clock.confirmed()).toBe(0)
  time.now = START + 60_000
  expect(await clock.confirmed()).toBe(START + 60_000)
  expect(await storage.clock.state()).toEqual({ confirmed: START + 60_000 })
  await storage.close()
})

it('N09: a key is not taken anew by a clock that is years ahead: a call under it has its effect once', async () => {
  const effects: string[] = []
  const capabilities = { pay: capability({ side_effect: { type: 'irreversible' } }) }
  const at = async (now: number) => {
    const storage = await openSqlite({ file: join(folder, 'service.db'), clock: () => now })
    const handlers = { pay: () => (effects.push('paid'), {}) }
    const started = await startFixture({ storage, clock: () => now, uptime: () => 0, capabilities, handlers })
    const { token } = await started.root()
    const pay = () => started.invoke('pay', token, { parameters: {} }, { 'idempotency-key': 'k' })
    const of = async () => (await pay()).headers.get('idempotency-replayed')
    const replayed = [await of(), await of()]
    await storage.close()
    return replayed
  }
  expect(await at(START)).toEqual([null, 'true'])
  expect(await at(START + YEARS)).toEqual(['true', 'true'])
  expect(effects).toEqual(['paid'])
})

it('an empty store has nothing to lose', async () => {
  const { service, storage, time } = await serviceAt(START)
  expect(await clockWatch(service).confirmed()).toBe(time.now)
  await storage.close()
})
