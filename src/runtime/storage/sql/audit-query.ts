/** Reads the audit trail by its query columns, newest first (section 4.8): by timestamp, and among equals by sequence. */
import type { AuditEntry } from '../../../protocol/audit.js'
import type { AuditFilter } from '../contract.js'
import { json } from './columns.js'
import type { Plan, Value } from './plan.js'

type Condition = readonly [sql: string, value: Value | undefined]

export function* query(filter: AuditFilter): Plan<readonly AuditEntry[]> {
  const conditions = conditionsOf(filter).filter(([, value]) => value !== undefined)
  const where = [...conditions.map(([sql]) => sql), ...outcome(filter), 'e.text is not null'].join(' and ')
  const sql = `
    select e.text as text from audit_index i join audit_entries e on e.sequence = i.sequence
    where ${where} order by i.recorded_at desc, i.sequence desc limit ?`
  const values = conditions.map(([, value]) => value ?? null)
  return (yield { sql, values: [...values, filter.limit] }).map((stored) => json<AuditEntry>(stored, 'text'))
}

const conditionsOf = (filter: AuditFilter): readonly Condition[] => [
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
]

/** As a constant, not a value: there is an index of failures only. An event class tells success, too. */
function outcome({ success, event_class }: AuditFilter): readonly string[] {
  const succeeded = success ?? event_class?.endsWith('_success')
  return succeeded === undefined ? [] : [`i.success = ${Number(succeeded)}`]
}

const milliseconds = (timestamp: string | undefined): number | undefined =>
  timestamp === undefined ? undefined : Date.parse(timestamp)
