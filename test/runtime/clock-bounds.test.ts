/** When the clock of the store is believed, to the millisecond, and by what (security, N09). */
import { expect, it } from 'vitest'
import { alarms } from '../../src/runtime/telemetry/alarms.js'
import { clockWatch } from '../../src/runtime/lifecycle/clock-watch.js'
import type { Log } from '../../src/runtime/index.js'

const HOUR = 3_600_000
const NOW = Date.parse('2026-03-01T12:00:00.000Z')
const iso = (ms: number) => new Date(ms).toISOString()
const silent = () => undefined

interface Recorded {
  readonly entry?: number | null
  readonly checkpoint?: number
  readonly confirmed?: number
  readonly doubted?: { readonly vouched: number; readonly waited: number }
}

/** A watch over a store that has recorded so much, and the way to let time pass. */
function watching({ entry, checkpoint, ...said }: Recorded) {
  const time = { store: NOW, uptime: 0 }
  const kept: number[] = []
  const [doubts, warned]: [unknown[], unknown[]] = [[], []]
  /** What the store says of its clock; a test may change it, as another replica would. */
  const state: { confirmed?: number; doubted?: { vouched: number; waited: number } } = said
  const text = entry === null ? null : JSON.stringify({ timestamp: iso(entry ?? 0) })
  const storage = {
    now: async () => time.store,
    audit: { size: async () => (entry === undefined ? 0 : 7), texts: async (from: number) => (from === 7 ? [{ sequence: 7, text }] : []) },
    checkpoints: { latest: async () => (checkpoint === undefined ? undefined : { created_at: iso(checkpoint) }) },
    clock: { state: async () => state, confirm: async (at: number) => void kept.push(at), doubt: async (doubt: unknown) => void doubts.push(doubt) },
  } // prettier-ignore
  const raised = alarms()
  const log: Log = { debug: silent, info: silent, error: silent, warn: (...line) => void warned.push(line) }
  const watch = clockWatch({ storage: storage as never, alarms: raised, log }, () => time.uptime)
  return {
    time,
    kept,
    doubts,
    warned,
    state,
    raised,
    confirmed: () => watch.confirmed(),
    vouched: () => watch.vouched(),
  }
}

it.each<[string, Recorded, boolean]>([
  ['where nothing is recorded', {}, true],
  ['an hour after the newest entry', { entry: NOW - HOUR }, true],
  ['more than an hour after the newest entry', { entry: NOW - HOUR - 1 }, false],
  ['an hour after the newest checkpoint', { checkpoint: NOW - HOUR }, true],
  ['more than an hour after the newest checkpoint', { checkpoint: NOW - HOUR - 1 }, false],
  ['an hour after it was confirmed', { confirmed: NOW - HOUR }, true],
  ['more than an hour after it was confirmed', { confirmed: NOW - HOUR - 1 }, false],
  ['an hour after an entry that is newer than the checkpoint', { entry: NOW - HOUR, checkpoint: 1 }, true],
  ['an hour after a checkpoint that is newer than the entry', { entry: 1, checkpoint: NOW - HOUR }, true],
  ['where the newest entry is newer than what was vouched for', { entry: NOW, confirmed: NOW - HOUR - 1 }, false],
  ['where the newest checkpoint is newer than what was vouched for', { checkpoint: NOW, confirmed: NOW - HOUR - 1 }, false],
  ['an hour after it was confirmed, which is newer than all else', { entry: 1, checkpoint: 1, confirmed: NOW - HOUR }, true],
  ['where the newest entry is erased', { entry: null }, true],
  ['an hour before all that is recorded', { entry: NOW + HOUR }, true],
])('it is believed %s: %s', async (_, recorded, isBelieved) => {
  const { confirmed, raised, kept } = watching(recorded)
  expect(await confirmed()).toBe(isBelieved ? NOW : undefined)
  expect(raised.all()).toEqual(isBelieved ? [] : ['clock_unconfirmed'])
  expect(kept.length).toBe(isBelieved ? 1 : 0)
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

it('one that is behind by more than an hour is believed, and health says so until it is not', async () => {
  const { confirmed, time, raised } = watching({ confirmed: NOW + HOUR + 1 })
  expect(await confirmed()).toBe(NOW)
  expect(raised.all()).toEqual(['clock_unconfirmed'])
  time.store += 1
  expect(await confirmed()).toBe(NOW + 1)
  expect(raised.all()).toEqual([])
})

const COMMAND = 'If the clock is right: svc migrate clock --confirm'

it('one that is ahead is told of once, with what to do and for how long it waits', async () => {
  const { confirmed, time, warned, doubts } = watching({ entry: NOW - 2 * HOUR })
  await confirmed()
  time.store += HOUR / 2
  time.uptime += HOUR / 2
  await confirmed()
  const message = 'The clock is ahead of all that was vouched for. Nothing is swept or erased until it is confirmed.'
  expect(warned).toEqual([[message, { clock: iso(NOW), vouched_until: iso(NOW - 2 * HOUR), waits_ms: 2 * HOUR, command: COMMAND }]])
  expect(doubts).toEqual([{ vouched: NOW - 2 * HOUR, waited: 0 }, { vouched: NOW - 2 * HOUR, waited: HOUR / 2 }])
}) // prettier-ignore

it('one that an earlier process doubted waits for the rest', async () => {
  const { confirmed, time, warned, kept } = watching({ confirmed: NOW - 3 * HOUR, doubted: { vouched: NOW - 3 * HOUR, waited: HOUR } }) // prettier-ignore
  expect(await confirmed()).toBeUndefined()
  expect(warned[0]).toMatchObject([expect.any(String), { vouched_until: iso(NOW - 2 * HOUR), waits_ms: HOUR }])
  time.store += HOUR - 1
  time.uptime += HOUR - 1
  expect(await confirmed()).toBeUndefined()
  time.store += 1
  time.uptime += 1
  expect([await confirmed(), kept]).toEqual([NOW + HOUR, [NOW + HOUR]])
})

it.each([
  ['as soon as it is near what was vouched for since', NOW - HOUR, NOW],
  ['never by a word from before the doubt', NOW - 4 * HOUR, undefined],
])('one that an earlier process doubted is believed %s', async (_, vouched, expected) => {
  const { confirmed } = watching({ confirmed: vouched, doubted: { vouched: NOW - 3 * HOUR, waited: 0 } })
  expect(await confirmed()).toBe(expected)
})

it('one that is doubted is believed when somebody vouches for a later time, and by no earlier one', async () => {
  const { confirmed, state, time, raised } = watching({ entry: NOW - 3 * HOUR })
  expect(await confirmed()).toBeUndefined()
  state.confirmed = NOW - 3 * HOUR
  expect(await confirmed()).toBeUndefined()
  state.confirmed = NOW - HOUR
  expect([await confirmed(), raised.all()]).toEqual([NOW, []])
  time.store += 3 * HOUR
  state.confirmed = NOW + 2 * HOUR
  expect(await confirmed()).toBeUndefined()
})

it('one that is behind is told of once, and goes by an earlier word when there is one', async () => {
  const { confirmed, state, time, warned, raised, vouched } = watching({ confirmed: NOW + 2 * HOUR })
  expect([await confirmed(), await confirmed()]).toEqual([NOW, NOW])
  expect(warned).toEqual([['The clock is behind what was vouched for.', { clock: iso(NOW), vouched_until: iso(NOW + 2 * HOUR), command: COMMAND }]])
  expect(vouched()).toBe(NOW + 2 * HOUR)
  time.uptime += 1
  expect(vouched()).toBe(NOW + 2 * HOUR + 1)
  state.confirmed = NOW
  expect([await confirmed(), raised.all(), vouched()]).toEqual([NOW, [], NOW])
}) // prettier-ignore

it('nothing is vouched for before the first look', () => {
  expect(watching({ entry: NOW }).vouched()).toBe(0)
})
