/** Cumulative budgets: what is spent and held under each token, in minor units (decimal text, exact in 64 bits). */
import type { Ceiling, Ledger, Reservation, SettledHold } from '../contract.js'
import { integer, textColumn } from './columns.js'
import { addEvent } from './outbox.js'
import { keep, row, sendOnly, undo, type Engine, type WriteOutcome, type StoragePlan } from './plan.js'

const OPEN = `insert into ledger (token_id, spent) values (?, 0) on conflict (token_id) do nothing`

const SPEND = `
  update ledger set spent = spent + cast(? as bigint)
  where token_id = ? and spent <= cast(? as bigint) - cast(? as bigint) returning cast(spent as text) as spent`

const HOLD = 'insert into holds (hold_id, token_id, position, units) values (?, ?, ?, cast(? as bigint))'
const SPENT = 'select cast(spent as text) as spent from ledger where token_id = ?'

const SETTLE = `
  update ledger set spent = spent + cast(? as bigint) - (select units from holds where hold_id = ? and position = ?)
  where token_id = (select token_id from holds where hold_id = ? and position = ?)`
const HELD = `
  select cast(max(units) as text) as units, count(*) as ceilings from holds where hold_id = ? having count(*) > 0`
const CLOSE = 'delete from holds where hold_id = ?'

export const ledger = (engine: Engine): Ledger => ({
  reserve: (holdId, ceilings, units) => engine.write(() => reserve(holdId, ceilings, units)),
  spent: (tokenId) => engine.read(() => spent(tokenId)),
  held: (holdId) => engine.read(() => held(holdId)),
})

function* reserve(holdId: string, ceilings: readonly Ceiling[], units: bigint): StoragePlan<WriteOutcome<Reservation>> {
  let spentUnits = 0n
  for (const [position, { tokenId, maxUnits, threshold }] of ceilings.entries()) {
    yield* sendOnly(OPEN, tokenId)
    const updated = yield* row(SPEND, String(units), tokenId, String(maxUnits), String(units))
    if (updated === undefined) return undo({ held: false, tokenId, spentUnits: yield* spent(tokenId) })
    yield* sendOnly(HOLD, holdId, tokenId, position, String(units))
    spentUnits = BigInt(textColumn(updated, 'spent'))
    if (threshold !== undefined && spentUnits >= threshold.units && spentUnits - units < threshold.units)
      yield* addEvent(threshold.eventAt(spentUnits))
  }
  return keep({ held: true, spentUnits })
}

function* spent(tokenId: string): StoragePlan<bigint> {
  const stored = yield* row(SPENT, tokenId)
  return stored === undefined ? 0n : BigInt(textColumn(stored, 'spent'))
}

function* held(holdId: string): StoragePlan<{ readonly units: bigint; readonly ceilings: number } | undefined> {
  const stored = yield* row(HELD, holdId)
  return stored && { units: BigInt(textColumn(stored, 'units')), ceilings: integer(stored, 'ceilings') }
}

/**
 * Replaces what a hold reserved by what was really spent. A hold that is already settled is left alone. In the order in
 * which the ceilings were taken, root first, so that no two writers ever wait for each other; nothing is waited for, as
 * the head is held.
 */
export function* settle({ holdId, units, ceilings }: SettledHold): StoragePlan<void> {
  for (let position = 0; position < ceilings; position++)
    yield* sendOnly(SETTLE, String(units), holdId, position, holdId, position)
  yield* sendOnly(CLOSE, holdId)
}
