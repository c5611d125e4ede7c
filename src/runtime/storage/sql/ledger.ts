/** Cumulative budgets: what is spent and held under each token, in minor units (decimal text, exact in 64 bits). */
import { DuplicateId, type Ceiling, type Ledger, type Reservation, type SettledHold } from '../contract.js'
import { integer, textColumn } from './columns.js'
import { insertMany } from './insert-many.js'
import { addEvent } from './outbox.js'
import { keep, row, sendOnly, undo, type Engine, type WriteOutcome, type StoragePlan } from './plan.js'
import { together } from './together.js'

const OPEN = `insert into ledger (token_id, spent) values (?, 0) on conflict (token_id) do nothing`

const SPEND = `
  update ledger set spent = spent + cast(? as bigint)
  where token_id = ? and spent <= cast(? as bigint) - cast(? as bigint) returning cast(spent as text) as spent`

const HOLDS = 'holds (hold_id, token_id, position, units)'
const SPENT = 'select cast(spent as text) as spent from ledger where token_id = ?'

const SETTLE = `
  update ledger set spent = spent + cast(? as bigint) - (select units from holds where hold_id = ? and position = ?)
  where token_id = (select token_id from holds where hold_id = ? and position = ?)`
const HELD = `
  select cast(max(units) as text) as units, count(*) as ceilings from holds where hold_id = ? having count(*) > 0`
const CLOSE = 'delete from holds where hold_id = ?'

export const ledger = (engine: Engine): Ledger => ({
  reserve: reserveTogether(engine),
  spent: (tokenId) => engine.read(() => spent(tokenId)),
  held: (holdId) => engine.read(() => held(holdId)),
})

interface Wanted {
  readonly holdId: string
  readonly ceilings: readonly Ceiling[]
  readonly units: bigint
}

/**
 * Who spends under the same ceilings waits for the same rows: what arrives while one transaction holds them shares the
 * next one. Where all of it together is too much, each is asked for by itself.
 */
function reserveTogether(engine: Engine): Ledger['reserve'] {
  const pools = new Map<string, (wanted: Wanted) => Promise<Reservation | undefined>>()

  const write = async (take: () => readonly Wanted[]): Promise<ReadonlyMap<string, Error | Reservation>> => {
    let taken: readonly Wanted[] = []
    const reserved = await engine.write(() => reserveAll((taken = take())))
    return reserved ?? new Map(await Promise.all(taken.map(reserveSingly)))
  }

  const reserveSingly = async (wanted: Wanted): Promise<readonly [string, Error | Reservation]> => {
    const became = await engine.write(() => reserve(wanted)).catch(asError)
    return [wanted.holdId, became]
  }

  const poolOf = (key: string) => {
    const known = pools.get(key)
    if (known !== undefined) return known
    const onIdle = (): void => void pools.delete(key)
    const pool = together<Wanted, Reservation>(({ holdId }) => holdId, write, duplicate, { isAlone: true, onIdle })
    pools.set(key, pool)
    return pool
  }

  return async (holdId, ceilings, units) => {
    const key = ceilings.map(({ tokenId, maxUnits }) => `${tokenId} ${maxUnits}`).join(' ')
    return (await poolOf(key)({ holdId, ceilings, units }))!
  }
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))

const duplicate = (id: string): DuplicateId => new DuplicateId(`The hold id ${id} is taken.`)

/** Reserves for all, who have the same ceilings, one after the other; undefined where that would be too much. */
function* reserveAll(all: readonly Wanted[]): StoragePlan<WriteOutcome<ReadonlyMap<string, Reservation> | undefined>> {
  const [first] = all
  if (first === undefined) return undo(new Map())
  if (all.length === 1) {
    const { value, ...outcome } = yield* reserve(first)
    return { ...outcome, value: new Map([[first.holdId, value]]) }
  }
  const total = all.reduce((sum, { units }) => sum + units, 0n)
  const reservations = new Map<string, Reservation>(all.map(({ holdId }) => [holdId, { held: true, spentUnits: 0n }]))
  for (const [position, { tokenId, maxUnits, threshold }] of first.ceilings.entries()) {
    const before = yield* spend(tokenId, maxUnits, total)
    if (before === undefined) return undo(undefined)
    let spentUnits = before
    for (const { holdId, units } of all) {
      spentUnits += units
      reservations.set(holdId, { held: true, spentUnits })
      yield* tellOf(threshold, spentUnits, units)
    }
    const values = all.flatMap(({ holdId, units }) => [holdId, tokenId, position, String(units)])
    yield* insertMany(HOLDS, 4, values)
  }
  return keep(reservations, all.length)
}

function* reserve({ holdId, ceilings, units }: Wanted): StoragePlan<WriteOutcome<Reservation>> {
  let spentUnits = 0n
  for (const [position, { tokenId, maxUnits, threshold }] of ceilings.entries()) {
    const before = yield* spend(tokenId, maxUnits, units)
    if (before === undefined) return undo({ held: false, tokenId, spentUnits: yield* spent(tokenId) })
    yield* insertMany(HOLDS, 4, [holdId, tokenId, position, String(units)])
    spentUnits = before + units
    yield* tellOf(threshold, spentUnits, units)
  }
  return keep({ held: true, spentUnits })
}

/** Gives what was spent and held before; undefined, and nothing is spent, where the ceiling does not cover it. */
function* spend(tokenId: string, maxUnits: bigint, units: bigint): StoragePlan<bigint | undefined> {
  yield* sendOnly(OPEN, tokenId)
  const updated = yield* row(SPEND, String(units), tokenId, String(maxUnits), String(units))
  return updated && BigInt(textColumn(updated, 'spent')) - units
}

function* tellOf(threshold: Ceiling['threshold'], spentUnits: bigint, units: bigint): StoragePlan<void> {
  if (threshold !== undefined && spentUnits >= threshold.units && spentUnits - units < threshold.units)
    yield* addEvent(threshold.eventAt(spentUnits))
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
