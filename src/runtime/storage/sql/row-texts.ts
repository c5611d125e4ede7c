/** Reads and replaces the texts of rows that carry a MAC, table by table. */
import type { RowText, RowTexts, SealedTable } from '../row-texts.js'
import { textColumn } from './columns.js'
import { keep, rows, sendOnly, type Engine, type Row, type StoragePlan, type WriteOutcome } from './plan.js'

interface Place {
  /** Columns of the primary key; a number beside them is part of what the MAC covers. */
  readonly key: readonly string[]
  readonly text: string
  readonly status?: string
  /** Columns that a MAC in a column of its own covers. */
  readonly part?: readonly string[]
  /** The table, where it has another name, and which of its rows are meant. */
  readonly table?: string
  readonly where?: string
}

const PLACES: { readonly [table in SealedTable]: Place } = {
  approval_requests: { key: ['approval_request_id'], text: 'body' },
  approvals_given: { key: ['approval_request_id', 'approver'], text: 'body' },
  bindings: { key: ['binding_id'], text: 'body' },
  event_deliveries: { key: ['event_id', 'target'], text: 'body' },
  idempotency: { key: ['subject', 'capability', 'idempotency_key'], text: 'body', status: 'status' },
  secrets: { key: ['name'], text: 'value' },
  console_sessions: { key: ['hash'], text: 'entitled' },
  connections: { key: ['connection_id'], text: 'body' },
  blocks: { key: ['block_id'], text: 'mac', part: ['kind', 'value', 'reason', 'created_by', 'created_at'] },
  paused_capabilities: { key: ['capability'], text: 'mac', part: ['reason', 'paused_by', 'paused_at'] },
  accounts: { key: ['issuer', 'subject', 'principal'], text: 'mac', part: [] },
  resolutions: { key: ['invocation_id'], text: 'mac', part: [] },
  decisions: {
    table: 'approval_requests',
    where: `status in ('approved', 'denied')`,
    key: ['approval_request_id'],
    text: 'decided_mac',
    part: ['status', 'approver', 'decided_at', 'reason', 'credential', 'decided_by'],
  },
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
  const place = PLACES[table]
  const { key, text, status, part = [], where = place.part === undefined ? `${text} is not null` : '1 = 1' } = place
  const columns = key.join(', ')
  const beyond = after === undefined ? '' : `and (${columns}) > (${key.map(() => '?').join(', ')})`
  const read = [columns, text, ...(status === undefined ? [] : [status]), ...part].join(', ')
  const isKey = key.map((column) => `cast(${column} as text) = ${column}`).join(' and ')
  const sql = `select ${read} from ${place.table ?? table} where ${where} and ${isKey} ${beyond} order by ${columns} limit ?`
  const found = yield* rows(sql, ...(after ?? []).slice(0, key.length), limit)
  return found.map((stored) => rowText(place, stored))
}

const rowText = ({ key, text, status, part }: Place, stored: Row): RowText => ({
  key: [...key.map((column) => textColumn(stored, column)), ...(status === undefined ? [] : [String(stored[status])])],
  // A writer of the database may have left a value of another kind: it is no text, and so not genuine.
  text: typeof stored[text] === 'string' ? stored[text] : '',
  ...(part && { part: part.map((column) => stored[column] as string | number | null) }),
})

function* replace(
  table: SealedTable,
  changes: readonly (RowText & { readonly before: string })[],
): StoragePlan<WriteOutcome<void>> {
  const { key, text, table: name = table } = PLACES[table]
  const where = [...key, `coalesce(${text}, '')`].map((column) => `${column} = ?`).join(' and ')
  const sql = `update ${name} set ${text} = ? where ${where}`
  for (const change of changes) yield* sendOnly(sql, change.text, ...change.key.slice(0, key.length), change.before)
  return keep(undefined)
}

function* endSessions(): StoragePlan<WriteOutcome<number>> {
  return keep((yield* rows('delete from console_sessions returning hash')).length)
}
