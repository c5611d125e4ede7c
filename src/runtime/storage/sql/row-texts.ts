/** Reads and replaces the texts of rows that carry a MAC, table by table. */
import type { RowText, RowTexts, SealedTable } from '../row-texts.js'
import { integer, textColumn } from './columns.js'
import { keep, rows, sendOnly, type Engine, type Row, type StoragePlan, type WriteOutcome } from './plan.js'

interface Place {
  /** Columns of the primary key; a number beside them is part of what the MAC covers. */
  readonly key: readonly string[]
  readonly text: string
  readonly status?: string
}

const PLACES: { readonly [table in SealedTable]: Place } = {
  approval_requests: { key: ['approval_request_id'], text: 'body' },
  approvals_given: { key: ['approval_request_id', 'approver'], text: 'body' },
  bindings: { key: ['binding_id'], text: 'body' },
  event_deliveries: { key: ['event_id', 'target'], text: 'body' },
  idempotency: { key: ['subject', 'capability', 'idempotency_key'], text: 'body', status: 'status' },
  secrets: { key: ['name'], text: 'value' },
  console_sessions: { key: ['hash'], text: 'entitled' },
}

export const rowTexts = (engine: Engine): RowTexts => ({
  page: (table, after, limit) => engine.search(() => page(table, after, limit)),
  replace: (table, changes) => engine.write(() => replace(table, changes)),
  endSessions: () => engine.writeSingly(endSessions),
})

function* page(
  table: SealedTable,
  after: readonly string[] | undefined,
  limit: number,
): StoragePlan<readonly RowText[]> {
  const { key, text, status } = PLACES[table]
  const columns = key.join(', ')
  const beyond = after === undefined ? '' : `and (${columns}) > (${key.map(() => '?').join(', ')})`
  const read = [columns, text, ...(status === undefined ? [] : [status])].join(', ')
  const sql = `select ${read} from ${table} where ${text} is not null ${beyond} order by ${columns} limit ?`
  const found = yield* rows(sql, ...(after ?? []).slice(0, key.length), limit)
  return found.map((stored) => rowText(PLACES[table], stored))
}

const rowText = ({ key, text, status }: Place, stored: Row): RowText => ({
  key: [
    ...key.map((column) => textColumn(stored, column)),
    ...(status === undefined ? [] : [`${integer(stored, status)}`]),
  ],
  text: textColumn(stored, text),
})

function* replace(
  table: SealedTable,
  changes: readonly (RowText & { readonly before: string })[],
): StoragePlan<WriteOutcome<void>> {
  const { key, text } = PLACES[table]
  const where = [...key, text].map((column) => `${column} = ?`).join(' and ')
  const sql = `update ${table} set ${text} = ? where ${where}`
  for (const change of changes) yield* sendOnly(sql, change.text, ...change.key.slice(0, key.length), change.before)
  return keep(undefined)
}

function* endSessions(): StoragePlan<WriteOutcome<number>> {
  return keep((yield* rows('delete from console_sessions returning hash')).length)
}
