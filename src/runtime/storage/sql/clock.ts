/** What processes have vouched for of the clock, in the table whose first row is what readiness touches. */
import { present } from '../../json/present.js'
import type { ClockDoubt, ClockState, ClockStore } from '../contract.js'
import { integer } from './columns.js'
import { keep, row, rows, type Engine, type StoragePlan, type WriteOutcome } from './plan.js'

/** What the clock of a database says, ms since the epoch, and what processes have vouched for. */
export type DatabaseClock = ClockState & { readonly now: number }

const CONFIRMED = 2
const VOUCHED = 3
const WAITED = 4

const READ = `select id, cast(touched_at as bigint) as touched_at from readiness where id in (${CONFIRMED}, ${VOUCHED}, ${WAITED})`
const CONFIRM = `
  insert into readiness (id, touched_at) values (${CONFIRMED}, ?)
  on conflict (id) do update set touched_at = excluded.touched_at`
const END_DOUBT = `delete from readiness where id in (${VOUCHED}, ${WAITED})`
const DOUBT = `
  insert into readiness (id, touched_at) values (${VOUCHED}, cast(? as bigint)), (${WAITED}, cast(? as bigint))
  on conflict (id) do update set touched_at = excluded.touched_at
  where readiness.id = ${WAITED} and excluded.touched_at > readiness.touched_at`

export const clockStore = (engine: Engine): ClockStore => ({
  state: () => engine.read(state),
  confirm: (at) => engine.write(() => confirm(at)),
  doubt: (doubted) => engine.writeSingly(() => doubt(doubted)),
})

function* state(): StoragePlan<ClockState> {
  const found = new Map((yield* rows(READ)).map((stored) => [integer(stored, 'id'), integer(stored, 'touched_at')]))
  const [vouched, waited] = [found.get(VOUCHED), found.get(WAITED)]
  const doubted = vouched === undefined ? undefined : { vouched, waited: waited ?? 0 }
  return present({ confirmed: found.get(CONFIRMED), doubted })
}

export function* readClock(): StoragePlan<DatabaseClock> {
  const clock = yield* row('select :now as now')
  return { now: integer(clock!, 'now'), ...(yield* state()) }
}

/** Vouches for what the clock says, whatever was known of it. */
export function* confirmClock(): StoragePlan<WriteOutcome<DatabaseClock>> {
  const { now } = yield* readClock()
  yield* confirm(now)
  return keep({ now, confirmed: now })
}

function* confirm(at: number): StoragePlan<WriteOutcome<void>> {
  yield* rows(CONFIRM, Math.round(at))
  yield* rows(END_DOUBT)
  return keep(undefined)
}

function* doubt({ vouched, waited }: ClockDoubt): StoragePlan<WriteOutcome<void>> {
  yield* rows(DOUBT, Math.round(vouched), Math.round(waited))
  return keep(undefined)
}
