/**
 * Whether the clock of the store may be believed by what cannot be undone (decisions; security, N09). What the clock
 * says is compared with what was recorded before this process began, and with how long it has run since; one that is
 * hours ahead sweeps and erases nothing, until the process has run for as long as that.
 */
import { PROCESS_TIME } from './process-time.js'
import type { Service } from '../service.js'
import type { Storage } from '../storage/contract.js'

export interface ClockWatch {
  /** The time of the store, ms since the epoch, where it may be believed. */
  confirmed(): Promise<number | undefined>
}

/** A service that was idle or stopped for longer than this waits for as long as it was. */
const TOLERANCE_MS = 3600_000

type Watched = Pick<Service, 'storage' | 'alarms' | 'log'>

/** `uptime`: ms, from any start, by a clock that nobody sets. */
export function clockWatch({ storage, alarms, log }: Watched, uptime: () => number = PROCESS_TIME.uptime): ClockWatch {
  let known: { readonly time: number; readonly at: number } | undefined
  let doubtedSince: number | undefined
  const believe = async (now: number, at: number): Promise<number> => {
    known = { time: now, at }
    doubtedSince = undefined
    alarms.clear('clock_unconfirmed')
    await storage.clock.confirm(now)
    return now
  }
  return {
    confirmed: async () => {
      const [now, at] = [await storage.now(), uptime()]
      const before = known ?? { time: (await lastRecorded(storage)) ?? now, at }
      known = before
      const ahead = now - before.time - (at - before.at)
      doubtedSince ??= at
      if (ahead <= TOLERANCE_MS || at - doubtedSince >= ahead) return believe(now, at)
      if (!alarms.has('clock_unconfirmed'))
        log.warn('The clock is ahead of all that was recorded. Nothing is swept or erased until it is confirmed.', {
          clock: new Date(now).toISOString(),
          recorded_until: new Date(before.time).toISOString(),
          waits_ms: ahead,
        })
      alarms.add('clock_unconfirmed')
      return undefined
    },
  }
}

/** The latest time that anything in the store vouches for; undefined while it is empty. */
async function lastRecorded({ audit, checkpoints, clock }: Storage): Promise<number | undefined> {
  const size = await audit.size()
  const [newest] = size === 0 ? [] : await audit.texts(size, 1)
  const entry =
    newest?.text === null || newest === undefined ? undefined : (JSON.parse(newest.text) as Stamped).timestamp
  const times = [entry, (await checkpoints.latest())?.created_at].flatMap((time) =>
    time === undefined ? [] : [Date.parse(time)],
  )
  const confirmed = await clock.lastConfirmed()
  const all = [...times, ...(confirmed === undefined ? [] : [confirmed])]
  return all.length === 0 ? undefined : Math.max(...all)
}

interface Stamped {
  readonly timestamp: string
}
