/** Appends to the audit trail: one transaction for a whole batch of settlements. */
import { appendLeaves } from '../../../crypto/merkle/merkle.js'
import type { AuditDraft, AuditEntry } from '../../../protocol/audit.js'
import type { Seal, SealedEntry, Settlement } from '../contract.js'
import { bytes, integer, textColumn } from './columns.js'
import { giveBack, remember } from './idempotency.js'
import { insertMany, padded } from './insert-many.js'
import { closeIntents } from './intents.js'
import { settle } from './ledger.js'
import { addEvent } from './outbox.js'
import {
  keep,
  row,
  rows,
  sendOnly,
  type Engine,
  type WriteOutcome,
  type StoragePlan,
  type Row,
  type Value,
} from './plan.js'
import { concatenated, frontierOf, hashColumns } from './tree.js'

/** The head row is held until the transaction ends, so sequences are given in the order of commits. */
const HEAD = 'select size, frontier from audit_head where id = 1 :lock'
const MOVE_HEAD = 'update audit_head set size = ?, frontier = ? where id = 1'

export const RESOLVE = `
  insert into resolutions (invocation_id, resolved_at, mac) values (?, :now, ?) on conflict (invocation_id) do nothing
  returning invocation_id`

const ENTRIES = 'audit_entries (sequence, text, hashes, erasable_from)'

const INDEX = `audit_index (sequence, invocation_id, recorded_at, root_principal, capability, event_class, success,
  client_reference_id, task_id, parent_invocation_id, approval_request_id)`

type Appended = readonly (SealedEntry | undefined)[]

type Take = () => readonly Settlement[]

/** Finds, of some invocations, those that have an entry already. */
type FindRecorded = (ids: readonly string[]) => StoragePlan<readonly string[]>

const MOST_ATTEMPTS = 5

/**
 * On a server the head is held for one round trip: nobody waits for an answer to the question which invocations have an
 * entry. Where one has, the index refuses the batch, and it is appended again without those (threat N24).
 */
export async function appendTogether(engine: Engine, take: Take, seal: Seal): Promise<Appended> {
  if (!engine.isShared) return engine.write(() => append(take, seal, recorded))
  let batch: readonly Settlement[] | undefined
  let known: readonly string[] = []
  const once: Take = () => (batch ??= take())
  for (let attempt = 1; ; attempt++) {
    try {
      return await engine.write(() => append(once, seal, () => nothingBut(known)))
    } catch (error) {
      if (attempt === MOST_ATTEMPTS || batch === undefined || !engine.isTaken(error, ENTRY_OF_INVOCATION)) throw error
      const ids = batch.flatMap(({ closesIntent }) => closesIntent ?? [])
      known = await engine.read(() => recorded(ids))
    }
  }
}

/** The index that takes one entry of an invocation. */
const ENTRY_OF_INVOCATION = 'audit_by_invocation'

// eslint-disable-next-line require-yield
function* nothingBut(ids: readonly string[]): StoragePlan<readonly string[]> {
  return ids
}

function* append(take: Take, seal: Seal, find: FindRecorded): StoragePlan<WriteOutcome<Appended>> {
  const head = yield* row(HEAD)
  const batch = take()
  const size = head === undefined ? 0 : integer(head, 'size')
  const fresh = yield* unrecorded(batch, find)
  let sequence = size
  const sealed = batch.map((settlement) =>
    fresh.has(settlement) ? seal(settlement.draft, ++sequence, settlement.retentionMs) : undefined,
  )
  if (fresh.size > 0)
    yield* store(
      head,
      sealed.filter((entry) => entry !== undefined),
    )
  // Also of those that have an entry: an intent can become durable after its caller gave it up.
  yield* closeIntents(batch.flatMap(({ closesIntent }) => closesIntent ?? []))
  yield* applyAll([...fresh])
  return keep(sealed, batch.length)
}

/** Appends one entry that goes with other changes, in their transaction. */
export function* appendOne(draft: AuditDraft, seal: Seal): StoragePlan<SealedEntry> {
  const head = yield* row(HEAD)
  const sealed = seal(draft, (head === undefined ? 0 : integer(head, 'size')) + 1)
  yield* store(head, [sealed])
  return sealed
}

function* store(head: Row | undefined, entries: readonly SealedEntry[]): StoragePlan<void> {
  const size = head === undefined ? 0 : integer(head, 'size')
  const frontier = size === 0 || head === undefined ? [] : frontierOf(bytes(head, 'frontier'))
  const leaves = entries.map(({ leafHash }) => leafHash)
  const grown = appendLeaves(frontier, size, leaves)
  const hashes = hashColumns(size, leaves, grown.nodes)
  const texts: Value[] = []
  const columns: Value[] = []
  const timeOf = timesOf()
  for (const [at, { entry, text, erasableFrom }] of entries.entries()) {
    texts.push(entry.sequence, text, hashes[at]!, erasableFrom ?? null)
    pushColumns(columns, entry, timeOf(entry.timestamp))
  }
  yield* insertMany(ENTRIES, 4, texts)
  yield* insertMany(INDEX, 11, columns)
  yield* sendOnly(MOVE_HEAD, size + entries.length, concatenated(grown.frontier))
}

/**
 * Those of a batch whose invocation has no entry yet, or is not resolved yet, the first of each. Only an intent can have
 * been closed by another process; without one an invocation lives in one process, and is recorded once.
 */
function* unrecorded(batch: readonly Settlement[], find: FindRecorded): StoragePlan<ReadonlySet<Settlement>> {
  const seen = new Set(yield* find(batch.flatMap(({ closesIntent }) => closesIntent ?? [])))
  const fresh = new Set<Settlement>()
  for (const settlement of batch) {
    const id = settlement.closesIntent
    if (id !== undefined && seen.has(id)) continue
    if (id !== undefined) seen.add(id)
    const { resolves, resolutionMac = null } = settlement
    if (resolves !== undefined && (yield* row(RESOLVE, resolves, resolutionMac)) === undefined) continue
    fresh.add(settlement)
  }
  return fresh
}

function* recorded(ids: readonly string[]): StoragePlan<readonly string[]> {
  if (ids.length === 0) return []
  const list = padded(ids)
  const sql = `select invocation_id from audit_index where invocation_id in (${list.marks})`
  return (yield* rows(sql, ...list.values)).map((found) => textColumn(found, 'invocation_id'))
}

/** What becomes true together with the entries; nothing of it is waited for. */
function* applyAll(settled: readonly Settlement[]): StoragePlan<void> {
  for (const { hold, givesBack, event } of settled) {
    if (hold !== undefined) yield* settle(hold)
    if (givesBack !== undefined) yield* giveBack(givesBack.key, givesBack.invocationId)
    if (event !== undefined) yield* addEvent(event)
  }
  yield* remember(settled.flatMap(({ answer }) => answer ?? []))
}

/** Times in ms since the epoch; entries of one batch share them. */
function timesOf(): (timestamp: string) => number {
  let [last, time] = ['', NaN]
  return (timestamp) => {
    if (timestamp !== last) [last, time] = [timestamp, Date.parse(timestamp)]
    return time
  }
}

/** Appends to a list of values those of a row of the index. */
function pushColumns(values: Value[], entry: AuditEntry, recordedAt: number): void {
  values.push(
    entry.sequence,
    entry.invocation_id,
    recordedAt,
    entry.root_principal,
    entry.capability,
    entry.event_class,
    entry.success ? 1 : 0,
    entry.client_reference_id,
    entry.task_id,
    entry.parent_invocation_id,
    entry.approval_request_id,
  )
}
