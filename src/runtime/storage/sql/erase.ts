/**
 * Erases what entries say, never that they were, nor their hashes; so every proof stays valid. Each erasure leaves an
 * entry that says which, in the same transaction (decisions, section 14: Erasure).
 */
import { erasedOf, erasureDraft } from '../../../crypto/trail/erasure.js'
import type { AuditEntry, Erased } from '../../../protocol/audit.js'
import type { OperatorAction } from '../../../protocol/operator.js'
import { sealEntry } from '../seal.js'
import { timestamp } from '../../json/timestamp.js'
import type { ErasureAccount, Erasure } from '../contract.js'
import { appendOne } from './audit-append.js'
import { integer, json, optionalText } from './columns.js'
import { eraseCopies } from './erase-copies.js'
import { padded } from './insert-many.js'
import { keep, row, rows, sendOnly, undo, type WriteOutcome, type StoragePlan } from './plan.js'
import { RESTORE, SUSPEND } from './schema/005-erasure.js'
import type { EngineName } from './schema/migration.js'

/** An entry that cannot be erased. */
export class NotErasable extends Error {
  override readonly name = 'NotErasable'
}

/**
 * Entries are appended one transaction after the other; what the owner of the schema erases takes its turn among them.
 */
const HEAD = 'select size from audit_head where id = 1 :lock'
const NEWEST = 'select recorded_at from audit_index where sequence = (select size from audit_head where id = 1)'
const DUE = `
  select sequence from audit_entries where text is not null and erasable_from <= cast(? as bigint)
  order by erasable_from limit ?`

/**
 * What the newest entry does not confirm waits for one that does: a clock that is ahead erases nothing. Nobody who
 * appends waits while entries are looked for. Then the head is held: an entry that another replica appended meanwhile
 * may have an earlier time, and confirms less.
 */
export function* eraseDue({ due, limit, account }: Erasure): StoragePlan<WriteOutcome<number>> {
  const newest = yield* row(NEWEST)
  if (newest === undefined) return undo(0)
  const found = yield* rows(DUE, Math.min(due, integer(newest, 'recorded_at')), limit)
  if (found.length === 0) return undo(0)
  yield* rows(HEAD)
  const sequences = yield* stillDue(found.map((entry) => integer(entry, 'sequence')))
  if (sequences.length === 0) return undo(0)
  const erased = yield* eraseAll(sequences)
  yield* accountFor(erased, account)
  return keep(erased.count)
}

/** Those that no other replica has erased meanwhile, and that the newest entry confirms, in their order. */
function* stillDue(sequences: readonly number[]): StoragePlan<readonly number[]> {
  const { marks, values } = padded(sequences)
  const sql = `
    select sequence from audit_entries
    where sequence in (${marks}) and text is not null and erasable_from <= (${NEWEST}) order by sequence`
  return (yield* rows(sql, ...values)).map((entry) => integer(entry, 'sequence'))
}

export function* eraseGiven(
  engine: EngineName,
  sequences: readonly number[],
  account: ErasureAccount,
): StoragePlan<WriteOutcome<Erased>> {
  yield* rows(HEAD)
  yield* refuseWhatCannotBe(sequences)
  for (const batch of batchesOf(sequences)) yield* eraseCopies(batch)
  for (const sql of SUSPEND[engine]) yield* rows(sql)
  const erased = yield* eraseAll(sequences)
  for (const sql of RESTORE[engine]) yield* rows(sql)
  yield* accountFor(erased, account)
  return keep(erased)
}

/** Statements that name entries name so many at most. */
const BATCH = 500

/** What was erased before erasures left entries gets one now, for each batch of it. */
export function* accountForTheErased(): StoragePlan<void> {
  const account: ErasureAccount = {
    draft: (erased, now) => erasureDraft('service:schema-owner', erased, BEFORE, timestamp(now)),
    seal: sealEntry,
  }
  const sql = 'select sequence from audit_entries where text is null and sequence > ? order by sequence limit ?'
  for (let after = 0; ;) {
    const found = (yield* rows(sql, after, BATCH)).map((entry) => integer(entry, 'sequence'))
    if (found.length === 0) return
    yield* accountFor(erasedOf(found), account)
    after = found.at(-1)!
  }
}

const BEFORE = 'Erased before erasures were recorded; found when the schema was upgraded.'

function* accountFor(erased: Erased, { draft, seal }: ErasureAccount): StoragePlan<void> {
  const clock = yield* row('select :now as now')
  yield* appendOne(draft(erased, clock === undefined ? 0 : integer(clock, 'now')), seal)
}

function* refuseWhatCannotBe(sequences: readonly number[]): StoragePlan<void> {
  for (const batch of batchesOf(sequences)) {
    const { marks, values } = padded(batch)
    const found = yield* rows(`select sequence, text from audit_entries where sequence in (${marks})`, ...values)
    const there = new Map(found.map((entry) => [integer(entry, 'sequence'), entry]))
    for (const sequence of batch) {
      const entry = there.get(sequence)
      if (entry === undefined) throw new NotErasable(`There is no entry ${sequence}.`)
      if (optionalText(entry, 'text') === null)
        throw new NotErasable(`The content of entry ${sequence} is erased already.`)
      const { entry_type, operated } = json<AuditEntry>(entry, 'text')
      if (entry_type === 'erasure')
        throw new NotErasable(`Entry ${sequence} is an erasure, which stays for ever: it accounts for what it erased.`)
      if (operated?.name === 'invocation_resolved') yield* refuseWithoutItsCall(sequence, operated, sequences)
    }
  }
}

const OF_CALL = `
  select i.sequence as sequence from audit_index i join audit_entries e on e.sequence = i.sequence
  where i.invocation_id = ? and e.text is not null`

/** What somebody found out of a call goes with the call: alone, the call would count for what was held for it. */
function* refuseWithoutItsCall(
  sequence: number,
  { target }: OperatorAction,
  sequences: readonly number[],
): StoragePlan<void> {
  const id = target['invocation_id'] ?? ''
  const call = yield* row(OF_CALL, id)
  const its = call === undefined ? undefined : integer(call, 'sequence')
  if (its !== undefined && !sequences.includes(its))
    throw new NotErasable(
      `Entry ${sequence} says what became of ${id}. Erase it with entry ${its}, which is that call.`,
    )
}

function* eraseAll(sequences: readonly number[]): StoragePlan<Erased> {
  for (const batch of batchesOf(sequences)) {
    const { marks, values } = padded(batch)
    yield* sendOnly(`update audit_entries set text = null where sequence in (${marks})`, ...values)
    yield* sendOnly(
      `update audit_index set root_principal = null, capability = null, event_class = null, success = null,
        client_reference_id = null, task_id = null, parent_invocation_id = null, approval_request_id = null
      where sequence in (${marks})`,
      ...values,
    )
  }
  return erasedOf(sequences)
}

const batchesOf = (sequences: readonly number[]): readonly (readonly number[])[] =>
  Array.from({ length: Math.ceil(sequences.length / BATCH) }, (_, index) =>
    sequences.slice(index * BATCH, (index + 1) * BATCH),
  )
