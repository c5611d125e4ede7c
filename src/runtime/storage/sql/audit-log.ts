/** The audit trail as a store: appended to by `audit/`, read by queries and proofs, never changed but for erasure. */
import type { AuditLog, NodeId } from '../contract.js'
import { appendTogether } from './audit-append.js'
import { fittingEntries, newest, query, reach } from './audit-query.js'
import { bytes, DamagedRow, integer, optionalText } from './columns.js'
import { eraseDue } from './erase.js'
import { padded } from './insert-many.js'
import { fitting } from './page.js'
import { row, rows, type Engine, type StoragePlan } from './plan.js'
import { hashAt, sequenceHolding } from './tree.js'

const FROM = 'from audit_entries where sequence >= ? order by sequence limit ?'
const TEXTS = `select sequence, text ${FROM}`
const TEXT_BYTES = `select octet_length(text) as bytes ${FROM}`
const RECORDED_AT = 'select recorded_at from audit_index where sequence = ?'
const SEQUENCE_OF = 'select sequence from audit_index where invocation_id = ?'
const SIZE = 'select size from audit_head where id = 1'

export const auditLog = (engine: Engine): AuditLog => ({
  append: (take, seal) => appendTogether(engine, take, seal),
  reach: (filter, most) => engine.search(() => reach(filter, most)),
  fitting: (filter) => engine.search(() => fittingEntries(filter)),
  query: (filter) => engine.search(() => query(filter)),
  newest: (before, limit) => engine.search(() => newest(before, limit)),
  texts: (fromSequence, limit) => engine.search(() => texts(fromSequence, limit)),
  firstSince: (time) => engine.search(() => firstSince(time)),
  sequenceOf: (invocationId) => engine.read(() => sequenceOf(invocationId)),
  size: () => engine.read(size),
  indexed: (from, to) => engine.search(() => indexed(from, to)),
  nodes: (ids) => engine.read(() => nodes(ids)),
  erase: (erasure) => engine.write(() => eraseDue(erasure)),
})

function* texts(
  fromSequence: number,
  limit: number,
): StoragePlan<readonly { sequence: number; text: string | null }[]> {
  const stored = yield* rows(TEXTS, fromSequence, yield* fitting(limit, TEXT_BYTES, fromSequence, limit))
  return stored.map((entry) => ({ sequence: integer(entry, 'sequence'), text: optionalText(entry, 'text') }))
}

/**
 * Halves the trail until it is found. An index row that somebody hid counts as a late one, so that nothing is passed
 * over.
 */
function* firstSince(time: number): StoragePlan<number> {
  let [from, to] = [1, (yield* size()) + 1]
  while (from < to) {
    const middle = Math.floor((from + to) / 2)
    const stored = yield* row(RECORDED_AT, middle)
    if (stored === undefined || integer(stored, 'recorded_at') >= time) to = middle
    else from = middle + 1
  }
  return from
}

function* sequenceOf(invocationId: string): StoragePlan<number | undefined> {
  const stored = yield* row(SEQUENCE_OF, invocationId)
  return stored === undefined ? undefined : integer(stored, 'sequence')
}

function* size(): StoragePlan<number> {
  const head = yield* row(SIZE)
  return head === undefined ? 0 : integer(head, 'size')
}

function* indexed(from: number, to: number): StoragePlan<number> {
  const found = yield* row('select count(*) as found from audit_index where sequence >= ? and sequence <= ?', from, to)
  return found === undefined ? 0 : integer(found, 'found')
}

/** Entries that one statement asks for: no engine takes any number of values. */
const MOST_AT_ONCE = 1024

function* nodes(ids: readonly NodeId[]): StoragePlan<readonly Uint8Array[]> {
  const sequences = [...new Set(ids.map(sequenceHolding))]
  const hashes = new Map<number, Uint8Array>()
  for (let from = 0; from < sequences.length; from += MOST_AT_ONCE) {
    const list = padded(sequences.slice(from, from + MOST_AT_ONCE))
    const sql = `select sequence, hashes from audit_entries where sequence in (${list.marks})`
    for (const entry of yield* rows(sql, ...list.values)) hashes.set(integer(entry, 'sequence'), bytes(entry, 'hashes'))
  }
  return ids.map((id) => nodeIn(hashes, id))
}

function nodeIn(hashes: ReadonlyMap<number, Uint8Array>, id: NodeId): Uint8Array {
  const stored = hashes.get(sequenceHolding(id))
  const hash = stored === undefined ? undefined : hashAt(stored, id.level)
  if (hash?.length !== 32)
    throw new DamagedRow(
      `Entry ${sequenceHolding(id)} is missing or damaged: the Merkle node ${id.level}/${id.index} is not stored ` +
        'with it.',
    )
  return hash
}
