import { durationMs } from '../../protocol/durations.js'

/** A clock that stands still until a test moves it. */
export interface TestClock {
  /** ms since the epoch. */
  readonly now: () => number
  /** Moves on by an ISO 8601 duration, such as `PT15M`, or by ms. */
  readonly pass: (time: string | number) => void
}

/** A clock that starts at a time: RFC 3339, or ms since the epoch; the moment of the call when absent. */
export function testClock(start: string | number = Date.now()): TestClock {
  let now = typeof start === 'number' ? start : Date.parse(start)
  if (!Number.isFinite(now)) throw new TypeError(`${start} is no time such as 2030-05-01T12:00:00Z.`)
  return {
    now: () => now,
    pass: (time) => {
      now += lengthOf(time)
    },
  }
}

function lengthOf(time: string | number): number {
  const ms = typeof time === 'number' ? time : durationMs(time)
  if (ms !== undefined && ms >= 0) return ms
  throw new TypeError(`${time} is no time to pass: give ms, or an ISO 8601 duration such as PT15M.`)
}
