/**
 * Check whether irreversible work may trust the clock of the store (decisions; security, N09). The clock is compared
 * with the last confirmed time, and with how long processes have run since; if it is hours ahead, nothing is swept or
 * erased until processes have run for as long. The doubt is kept in the store: entries recorded by a doubted clock do
 * not confirm it at a later start.
 */
import { PROCESS_TIME } from '../telemetry/process-time.js'
import { timestamp } from '../json/timestamp.js'
import type { Service } from '../service.js'
import type { Storage } from '../storage/contract.js'

/** A service that was stopped for longer than this waits for as long as it was. */
const TOLERANCE_MS = 3600_000

type Watched = Pick<Service, 'storage' | 'alarms' | 'log'>

interface Vouched {
  /** ms since the epoch. */
  readonly time: number
  /** The uptime at that time, ms; of a doubt that an earlier process had, below 0 perhaps. */
  readonly at: number
  /** From then on the clock was ahead of it. */
  readonly isDoubted: boolean
}

/** `uptime`: ms, from any start, by a clock that nobody sets. */
export function clockWatch(
  { storage, alarms, log }: Watched,
  uptime: () => number = PROCESS_TIME.uptime,
): Service['clock'] {
  let known: Vouched | undefined
  const tell = (message: string, fields: { readonly [name: string]: string | number }): void => {
    if (!alarms.has('clock_unconfirmed'))
      log.warn(message, { ...fields, command: 'If the clock is right: svc migrate clock --confirm' })
    alarms.add('clock_unconfirmed')
  }
  const believe = async (now: number, at: number, expected: number): Promise<number> => {
    // A clock that is behind, as of a machine that has just begun, makes nobody doubt the right one.
    known = { time: Math.max(now, expected), at, isDoubted: false }
    await storage.clock.confirm(known.time)
    if (expected - now > TOLERANCE_MS)
      tell('The clock is behind what was vouched for.', { clock: timestamp(now), vouched_until: timestamp(expected) })
    else alarms.clear('clock_unconfirmed')
    return now
  }
  return {
    confirmed: async () => {
      const [now, at] = [await storage.now(), Math.round(uptime())]
      const before = await vouchedBefore(storage, known, now, at)
      const run = at - before.at
      const expected = before.time + run
      const ahead = now - expected
      if (ahead <= TOLERANCE_MS || (before.isDoubted && run >= ahead)) return believe(now, at, expected)
      known = before.isDoubted ? before : { time: expected, at, isDoubted: true }
      const waited = at - known.at
      await storage.clock.doubt({ vouched: known.time, waited })
      tell('The clock is ahead of all that was vouched for. Nothing is swept or erased until it is confirmed.', {
        clock: timestamp(now),
        vouched_until: timestamp(expected),
        waits_ms: ahead - waited,
      })
      return undefined
    },
    vouched: () => (known === undefined ? 0 : known.time + uptime() - known.at),
  }
}

/**
 * Returns the store's confirmed time, if it differs from this process's: another replica may have confirmed the clock
 * since, or the owner of the database may have set back a premature confirmation.
 */
async function vouchedBefore(storage: Storage, known: Vouched | undefined, now: number, at: number): Promise<Vouched> {
  const { confirmed, doubted } = await storage.clock.state()
  if (known === undefined) {
    if (doubted !== undefined && doubted.vouched >= (confirmed ?? 0))
      return { time: doubted.vouched, at: at - doubted.waited, isDoubted: true }
    return { time: confirmed ?? (await lastRecorded(storage)) ?? now, at, isDoubted: false }
  }
  if (confirmed === undefined) return known
  const isBehind = known.time + at - known.at - now > TOLERANCE_MS
  const isNews = known.isDoubted ? confirmed > known.time : isBehind && confirmed < known.time
  return isNews ? { time: confirmed, at, isDoubted: false } : known
}

/** The latest time in a store that nobody has vouched for yet; undefined while it is empty. */
async function lastRecorded({ audit, checkpoints }: Storage): Promise<number | undefined> {
  const size = await audit.size()
  const [newest] = size === 0 ? [] : await audit.texts(size, 1)
  const entry =
    newest?.text === null || newest === undefined ? undefined : (JSON.parse(newest.text) as Stamped).timestamp
  const times = [entry, (await checkpoints.latest())?.created_at].flatMap((time) =>
    time === undefined ? [] : [Date.parse(time)],
  )
  return times.length === 0 ? undefined : Math.max(...times)
}

interface Stamped {
  readonly timestamp: string
}
