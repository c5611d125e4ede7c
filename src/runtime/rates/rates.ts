import { recent } from './recent.js'
import type { RateStore } from '../storage/contract.js'

/** Counts what happens per minute, over all replicas. */
export interface Rates {
  /** Takes a place under a name if this process holds one. */
  takeAtOnce(name: string): boolean
  /** Takes a place under a name, or says after how many seconds one will be free. */
  take(name: string, perMinute: number): Promise<number | undefined>
}

/** Share of a name's rate that this process holds. */
interface Share {
  places: number
  /** Time when unused places lapse. */
  until: number
  /** Until when the store has none to give. */
  closedUntil: number
  /** Number of callers that wait for places. */
  waiting: number
  asking: Promise<void> | undefined
}

const MOST_NAMES = 20_000
const LAPSE_MS = 60_000

/**
 * Takes places out of the store's buckets, a second's worth at a time, so that a busy caller costs one write a second
 * and not one a call. All replicas together never give more than the store did; what one holds and does not use is lost
 * to the others.
 */
export function sharedRates(store: RateStore, now: () => number): Rates {
  const shares = recent<Share>(MOST_NAMES)

  const shareOf = (name: string): Share => {
    const known = shares.get(name)
    if (known !== undefined) return known
    const share = { places: 0, until: 0, closedUntil: 0, waiting: 0, asking: undefined }
    shares.set(name, share)
    return share
  }

  const ask = async (share: Share, name: string, perMinute: number): Promise<void> => {
    // One turn, so that all callers who wait are counted.
    await Promise.resolve()
    const wanted = Math.max(Math.floor(perMinute / 60), share.waiting, 1)
    share.waiting = 0
    try {
      const { places, waitMs } = await store.take(name, wanted, perMinute)
      share.places = places
      if (waitMs === undefined) share.until = now() + LAPSE_MS
      else share.closedUntil = now() + Math.min(waitMs, LAPSE_MS)
    } finally {
      share.asking = undefined
    }
  }

  const takenFrom = (share: Share): boolean => {
    if (share.places === 0 || !isAhead(share.until, now())) return false
    share.places -= 1
    return true
  }

  return {
    takeAtOnce(name) {
      const share = shares.get(name)
      return share !== undefined && takenFrom(share)
    },
    async take(name, perMinute) {
      if (perMinute < 1) return LAPSE_MS / 1000
      const share = shareOf(name)
      for (;;) {
        if (takenFrom(share)) return undefined
        if (isAhead(share.closedUntil, now())) return Math.ceil((share.closedUntil - now()) / 1000)
        share.waiting += 1
        await (share.asking ??= ask(share, name, perMinute))
      }
    },
  }
}

/** Holds for a time that is at most a minute away: a clock that was set back must not make it last. */
const isAhead = (time: number, now: number): boolean => time > now && time - now <= LAPSE_MS
