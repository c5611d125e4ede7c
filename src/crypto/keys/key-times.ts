/** The times at which a key changes state, as files hold them. All in ms since the epoch. */
import type { JsonObject } from '../../protocol/manifest.js'
import type { KeyState } from '../../protocol/words.js'

export interface KeyTimes {
  readonly createdAt: number
  /** From when it signs; without it the key is `next` for as long as nobody says otherwise. */
  readonly activeFrom?: number
  /** From when it signs no more. */
  readonly retiredFrom?: number
  /** Until when it verifies once it is retired; without it there is no end. */
  readonly verifyUntil?: number
  /** Of a secret that a ring of an earlier version was given: until when rows of before are authenticated by it. */
  readonly earlierRowsUntil?: number
}

/** Returns the state of a key at a time (ms). */
export function stateAt({ activeFrom, retiredFrom }: Partial<KeyTimes>, now: number): KeyState {
  if (retiredFrom !== undefined && retiredFrom <= now) return 'retired'
  return activeFrom !== undefined && activeFrom <= now ? 'active' : 'next'
}

const MEMBERS = {
  createdAt: 'svc_created_at',
  activeFrom: 'svc_active_from',
  retiredFrom: 'svc_retired_from',
  verifyUntil: 'svc_verify_until',
  earlierRowsUntil: 'svc_earlier_rows_until',
} as const
type TimeName = keyof typeof MEMBERS

/** Returns the members of a file for the times that are known, as RFC 3339. */
export const stampsOf = (times: Partial<KeyTimes>): JsonObject =>
  Object.fromEntries(
    Object.entries(MEMBERS).flatMap(([name, member]) => {
      const time = times[name as TimeName]
      return time === undefined ? [] : [[member, new Date(time).toISOString()] as const]
    }),
  )

/** Returns the times that a file holds, or the reason why it does not. */
export function timesIn(record: JsonObject): Partial<KeyTimes> | string {
  const times: Partial<Record<TimeName, number>> = {}
  for (const [name, member] of Object.entries(MEMBERS) as readonly (readonly [TimeName, string])[]) {
    const text = record[member]
    if (text === undefined) continue
    const time = typeof text === 'string' ? Date.parse(text) : Number.NaN
    if (Number.isNaN(time)) return `${member} must be an RFC 3339 time.`
    times[name] = time
  }
  return times
}
