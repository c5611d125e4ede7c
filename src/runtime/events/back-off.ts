/** ms until the next attempt, by how many have failed: then the last, until the event is given up. */
const DELAYS = [5_000, 15_000, 60_000, 300_000, 900_000, 1_800_000] as const

/** What fails at the same time is not tried again at the same time. */
const SPREAD = 0.2

/** When an event is tried again, ms from now: no sooner than its receiver asks for. */
export function backOff(failed: number, retryAfterMs = 0, random = Math.random): number {
  const delay = DELAYS[Math.min(failed, DELAYS.length) - 1] ?? DELAYS[0]
  return Math.round(Math.max(delay * (1 + SPREAD * random()), retryAfterMs))
}

const LONGEST_PAUSE_MS = 30_000

/** How long a target is left alone after so many failures in a row, whatever waits for it. */
export const pauseAfter = (failures: number): number =>
  Math.min(2 ** Math.min(failures - 1, 10) * 1000, LONGEST_PAUSE_MS)
