/** When the clock of the store is believed, to the millisecond, and by what (security, N09). */
import { expect, it } from 'vitest'
import { alarms } from '../../src/runtime/lifecycle/alarms.js'
import { clockWatch } from '../../src/runtime/lifecycle/clock-watch.js'
import type { Log } from '../../src/runtime/index.js'

const HOUR = 3_600_000
const NOW = Date.parse('2026-03-01T12:00:00.000Z')
const iso = (ms: number) => new Date(ms).toISOString()
const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined } satisfies Log // prettier-ignore

interface Recorded {
  readonly entry?: number | null
  readonly checkpoint?: number
  readonly confirmed?: number
}

/** A watch over a store that has recorded so much, and the way to let time pass. */
function watching({ entry, checkpoint, confirmed }: Recorded) {
  const time = { store: NOW, uptime: 0 }
  const kept: number[] = []
  const text = entry === null ? null : JSON.stringify({ timestamp: iso(entry ?? 0) })
  const storage = {
    now: async () => time.store,
    audit: { size: async () => (entry === undefined ? 0 : 7), texts: async (from: number) => (from === 7 ? [{ sequence: 7, text }] : []) },
    checkpoints: { latest: async () => (checkpoint === undefined ? undefined : { created_at: iso(checkpoint) }) },
    clock: { lastConfirmed: async () => confirmed, confirm: async (at: number) => void kept.push(at) },
  } // prettier-ignore
  const raised = alarms()
  const watch = clockWatch({ storage: storage as never, alarms: raised, log: quiet }, () => time.uptime)
  return { time, kept, raised, confirmed: () => watch.confirmed() }
}

it.each<[string, Recorded, boolean]>([
  ['where nothing is recorded', {}, true],
  ['an hour after the newest entry', { entry: NOW - HOUR }, true],
  ['more than an hour after the newest entry', { entry: NOW - HOUR - 1 }, false],
  ['an hour after the newest checkpoint', { checkpoint: NOW - HOUR }, true],
  ['more than an hour after the newest checkpoint', { checkpoint: NOW - HOUR - 1 }, false],
  ['an hour after it was confirmed', { confirmed: NOW - HOUR }, true],
  ['more than an hour after it was confirmed', { confirmed: NOW - HOUR - 1 }, false],
  ['an hour after an entry that is newer than all else', { entry: NOW - HOUR, checkpoint: 1, confirmed: 1 }, true],
  ['an hour after a checkpoint that is newer than all else', { entry: 1, checkpoint: NOW - HOUR, confirmed: 1 }, true],
  ['an hour after it was confirmed, which is newer than all else', { entry: 1, checkpoint: 1, confirmed: NOW - HOUR }, true],
  ['where the newest entry is erased', { entry: null }, true],
  ['before all that is recorded', { entry: NOW + 9 * HOUR }, true],
])('it is believed %s: %s', async (_, recorded, isBelieved) => {
  const { confirmed, raised, kept } = watching(recorded)
  expect(await confirmed()).toBe(isBelieved ? NOW : undefined)
  expect([raised.all(), kept]).toEqual(isBelieved ? [[], [NOW]] : [['clock_unconfirmed'], []])
}) // prettier-ignore

it('one that is ahead is believed once the process has run for as long as that', async () => {
  const { confirmed, time, raised } = watching({ entry: NOW - 2 * HOUR })
  const after = async (ms: number) => {
    time.store += ms
    time.uptime += ms
    return confirmed()
  }
  expect([await after(0), await after(2 * HOUR - 1)]).toEqual([undefined, undefined])
  expect(await after(1)).toBe(NOW + 2 * HOUR)
  expect(raised.all()).toEqual([])
})

it('one that was believed is doubted when it leaps, and waits anew for as long', async () => {
  const { confirmed, time } = watching({ entry: NOW })
  expect(await confirmed()).toBe(NOW)
  time.store += 3 * HOUR
  expect(await confirmed()).toBeUndefined()
  time.store += HOUR
  time.uptime += HOUR
  expect(await confirmed()).toBeUndefined()
  time.store += 2 * HOUR
  time.uptime += 2 * HOUR
  expect(await confirmed()).toBe(NOW + 6 * HOUR)
})
