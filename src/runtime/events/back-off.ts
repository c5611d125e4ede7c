/** ms until the next attempt, by how many have failed: then the last, until the event is given up. */
const DELAYS = [5_000, 15_000, 60_000, 300_000, 900_000, 1_800_000] as const

/** Random spread, so that simultaneous failures are not retried simultaneously. */
const SPREAD = 0.2

/** Returns the delay of the next attempt, in ms: no sooner than the receiver asks for. */
export function backOff(failed: number, retryAfterMs = 0, random = Math.random): number {
  const delay = DELAYS[Math.min(failed, DELAYS.length) - 1] ?? DELAYS[0]
  return Math.round(Math.max(delay * (1 + SPREAD * random()), retryAfterMs))
}

const LONGEST_PAUSE_MS = 30_000

/** Returns how long a target is paused after so many failures in a row. */
export const pauseAfter = (failures: number): number =>
  Math.min(2 ** Math.min(failures - 1, 10) * 1000, LONGEST_PAUSE_MS)
