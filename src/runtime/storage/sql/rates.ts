/**
 * Rates that hold over all replicas. A name's bucket is one number, the time at which it would be full again: taking a
 * place moves it on by the spacing of places, and it never lies more than a minute ahead. Times are µs, so that a
 * spacing is a whole number.
 */
import type { RateStore, Taken } from '../contract.js'
import { integer } from './columns.js'
import { keep, row, type Engine, type WriteOutcome, type StoragePlan } from './plan.js'

const MINUTE = 60_000_000
const NOW = 'cast(:now as bigint) * 1000'

/**
 * A bucket further ahead was filled by a clock that was set back since, and counts as full. One minute more than a
 * bucket can be: who asked first may come to the row last.
 */
const NEAR = `rates.full_at > excluded.asked_at and rates.full_at <= excluded.asked_at + ${2 * MINUTE}`
const BASE = `case when ${NEAR} then rates.full_at else excluded.asked_at end`
const ROOM = `(excluded.asked_at + ${MINUTE} - (${BASE})) / excluded.spacing`
const GIVEN = `case when ${ROOM} < excluded.given then ${ROOM} else excluded.given end`

/** The places wanted, or as many as there are; no row when there is none. */
const TAKE = `
  insert into rates (name, spacing, asked_at, given, full_at)
  values (?, cast(? as bigint), ${NOW}, cast(? as bigint), ${NOW} + cast(? as bigint))
  on conflict (name) do update
  set spacing = excluded.spacing, asked_at = excluded.asked_at, given = ${GIVEN},
      full_at = (${BASE}) + excluded.spacing * (${GIVEN})
  where ${ROOM} >= 1
  returning given`

const AHEAD = `select full_at - ${NOW} as ahead from rates where name = ?`

export const rateStore = (engine: Engine): RateStore => ({
  take: (name, wanted, perMinute) => engine.writeSingly(() => take(name, wanted, perMinute)),
})

function* take(name: string, wanted: number, perMinute: number): StoragePlan<WriteOutcome<Taken>> {
  const spacing = Math.max(1, Math.floor(MINUTE / perMinute))
  const places = Math.min(wanted, Math.floor(MINUTE / spacing))
  const taken = yield* row(TAKE, name, spacing, places, places * spacing)
  if (taken !== undefined) return keep({ places: integer(taken, 'given') })
  const found = yield* row(AHEAD, name)
  const ahead = found === undefined ? 0 : integer(found, 'ahead')
  return keep({ places: 0, waitMs: Math.max(1, Math.ceil((ahead + spacing - MINUTE) / 1000)) })
}
