/**
 * Reads the audit trail by its query columns, newest first (section 4.8): by timestamp, and among equals by sequence.
 */
import type { AuditEntry } from '../../../protocol/audit.js'
import type { EntryFilter } from '../contract.js'
import { leafHash } from '../../../crypto/merkle/merkle.js'
import { bytes, DamagedRow, integer, json, textColumn } from './columns.js'
import { present } from '../../json/present.js'
import { fitting } from './page.js'
import { row, rows, type StoragePlan, type Row, type Value } from './plan.js'
import { hashAt } from './tree.js'

type Condition = readonly [sql: string, value: Value | undefined]

export function* query(filter: EntryFilter): StoragePlan<readonly AuditEntry[]> {
  const { sql, values } = found('e.sequence as sequence, e.text as text, e.hashes as hashes', filter)
  return (yield* rows(sql, ...values)).map((stored) => entryIn(stored, filter))
}

export function* fittingEntries(filter: EntryFilter): StoragePlan<number> {
  const { sql, values } = found('octet_length(e.text) as bytes', filter)
  return yield* fitting(filter.limit, sql, ...values)
}

/** The statement that finds the entries of a filter, and its values. */
function found(columns: string, filter: EntryFilter): { readonly sql: string; readonly values: readonly Value[] } {
  const conditions = conditionsOf(filter).filter(([, value]) => value !== undefined)
  const where = [...conditions.map(([sql]) => sql), ...outcome(filter), 'e.text is not null'].join(' and ')
  const sql = `
    select ${columns} from audit_index i join audit_entries e on e.sequence = i.sequence
    where ${where} order by i.recorded_at desc, i.sequence desc limit ?`
  return { sql, values: [...conditions.map(([, value]) => value ?? null), filter.limit] }
}

const BEFORE = 'from audit_entries where sequence < ? and text is not null order by sequence desc limit ?'
const NEWEST = `select sequence, text, hashes ${BEFORE}`
const NEWEST_BYTES = `select octet_length(text) as bytes ${BEFORE}`

export function* newest(beforeSequence: number | undefined, limit: number): StoragePlan<readonly AuditEntry[]> {
  const before = beforeSequence ?? Number.MAX_SAFE_INTEGER
  const stored = yield* rows(NEWEST, before, yield* fitting(limit, NEWEST_BYTES, before, limit))
  return stored.map((each) => entryIn(each, { limit }))
}

/** Walks over the index alone, so that a page whose filter few entries meet ends after so many of them. */
export function* reach(
  { rootPrincipal, since, until, beforeSequence }: EntryFilter,
  rows: number,
): StoragePlan<number | undefined> {
  const bounds = present({ rootPrincipal, since, until, beforeSequence, limit: 1 })
  const conditions = conditionsOf(bounds).filter(([, value]) => value !== undefined)
  const sql = `
    select i.sequence as sequence from audit_index i where ${conditions.map(([condition]) => condition).join(' and ')}
    order by i.recorded_at desc, i.sequence desc limit 1 offset ?`
  const found = yield* row(sql, ...conditions.map(([, value]) => value ?? null), rows - 1)
  return found === undefined ? undefined : integer(found, 'sequence')
}

/** Text that was edited, and an entry that is found under the columns of another, are nobody's to read. */
function entryIn(stored: Row, { rootPrincipal }: EntryFilter): AuditEntry {
  const entry = json<AuditEntry>(stored, 'text')
  const sequence = integer(stored, 'sequence')
  if (Buffer.compare(leafHash(textColumn(stored, 'text')), hashAt(bytes(stored, 'hashes'), 0)) !== 0)
    throw new DamagedRow(`The text of entry ${sequence} is not the one that was recorded.`)
  if (entry.sequence !== sequence || (rootPrincipal !== undefined && entry.root_principal !== rootPrincipal))
    throw new DamagedRow(`Entry ${sequence} stands in the place of another.`)
  return entry
}

const conditionsOf = (filter: EntryFilter): readonly Condition[] => [
  ['i.root_principal = ?', filter.rootPrincipal],
  ['i.capability = ?', filter.capability],
  ['i.invocation_id = ?', filter.invocation_id],
  ['i.client_reference_id = ?', filter.client_reference_id],
  ['i.task_id = ?', filter.task_id],
  ['i.parent_invocation_id = ?', filter.parent_invocation_id],
  ['i.approval_request_id = ?', filter.approval_request_id],
  ['i.event_class = ?', filter.event_class],
  ['i.recorded_at > ?', milliseconds(filter.since)],
  ['i.recorded_at <= ?', milliseconds(filter.until)],
  [
    '(i.recorded_at, i.sequence) < (select b.recorded_at, b.sequence from audit_index b where b.sequence = ?)',
    filter.beforeSequence,
  ],
  [
    '(i.recorded_at, i.sequence) >= (select b.recorded_at, b.sequence from audit_index b where b.sequence = ?)',
    filter.downToSequence,
  ],
]

/** As a constant, not a value: there is an index of failures only. An event class tells success, too. */
function outcome({ success, event_class }: EntryFilter): readonly string[] {
  const succeeded = success ?? event_class?.endsWith('_success')
  return succeeded === undefined ? [] : [`i.success = ${Number(succeeded)}`]
}

const milliseconds = (timestamp: string | undefined): number | undefined =>
  timestamp === undefined ? undefined : Date.parse(timestamp)
