import { AUDIT_INDEXES, TRIGGERS_OF_SQLITE } from './001-first.js'
import type { Migration } from './migration.js'

const COLUMNS =
  'sequence, invocation_id, recorded_at, root_principal, capability, event_class, success, client_reference_id, ' +
  'task_id, parent_invocation_id, approval_request_id'

/**
 * In SQLite a `bigint` key has a tree beside the rows; an `integer` one is the place of the row, so an entry touches
 * two trees fewer.
 */
export const rowids: Migration = {
  version: 3,
  name: 'rowids',
  statements: [],
  sqlite: [
    'drop trigger audit_entries_are_kept',
    'drop trigger audit_entries_are_fixed',
    'alter table audit_entries rename to audit_entries_before',
    'create table audit_entries (sequence integer primary key, text text, hashes bytea not null)',
    'insert into audit_entries select sequence, text, hashes from audit_entries_before order by sequence',
    'drop table audit_entries_before',
    ...TRIGGERS_OF_SQLITE,
    'alter table audit_index rename to audit_index_before',
    `create table audit_index (
      sequence integer primary key, invocation_id text, recorded_at bigint not null, root_principal text, capability text,
      event_class text, success bigint, client_reference_id text, task_id text, parent_invocation_id text,
      approval_request_id text)`,
    `insert into audit_index select ${COLUMNS} from audit_index_before order by sequence`,
    'drop table audit_index_before',
    ...AUDIT_INDEXES,
  ],
  postgres: [],
}
