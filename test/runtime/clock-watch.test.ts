import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { clockWatch } from '../../src/runtime/lifecycle/clock-watch.js'
import { maintain } from '../../src/runtime/lifecycle/maintenance.js'
import { openSqlite } from '../../src/runtime/storage/sqlite/index.js'
import { capability } from './fixture/manifest.js'
import { startFixture } from './fixture/service.js'
import { draft, token } from './storage/examples.js'

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
  await stop()
  expect((await storage.audit.texts(1, 2)).map(({ text }) => text !== null)).toEqual([true, true])
  expect(await storage.tokens.chain('tok_old')).toBeDefined()
  expect(logged.join()).toContain('The clock is ahead of all that was recorded.')
  expect(await storage.clock.lastConfirmed()).toBeUndefined()
  await storage.close()
})

it('a clock that is near what was recorded is believed, and vouched for', async () => {
  await usedService()
  const { service, storage, time } = await serviceAt(START + 30 * 60_000)
  const uptime = { ms: 0 }
  const clock = clockWatch(service, () => uptime.ms)
  expect(await clock.confirmed()).toBe(time.now)
  expect(await storage.clock.lastConfirmed()).toBe(time.now)
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

it('an empty store has nothing to lose', async () => {
  const { service, storage, time } = await serviceAt(START)
  expect(await clockWatch(service).confirmed()).toBe(time.now)
  await storage.close()
})
