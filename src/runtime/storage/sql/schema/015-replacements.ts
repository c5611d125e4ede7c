import type { Migration } from './migration.js'

const REFUSED = `begin select raise(abort, 'The audit trail is append-only.'); end`

const isTaken = (table: string, key: string): string => `exists (select 1 from ${table} where ${key} = new.${key})`

/**
 * What is recorded is replaced by nothing that is inserted in its place: SQLite deletes what `insert or replace`
 * replaces, and asks no trigger against deletion. A checkpoint stays as it was signed.
 */
export const replacements: Migration = {
  version: 15,
  name: 'replacements',
  readableFrom: 14,
  statements: [],
  sqlite: [
    `create trigger audit_entries_are_new before insert on audit_entries
      when ${isTaken('audit_entries', 'sequence')} ${REFUSED}`,
    `create trigger audit_index_is_new before insert on audit_index
      when ${isTaken('audit_index', 'sequence')} or ${isTaken('audit_index', 'invocation_id')} ${REFUSED}`,
    `create trigger checkpoints_are_new before insert on checkpoints
      when ${['sequence', 'checkpoint_id', 'rowid'].map((key) => isTaken('checkpoints', key)).join(' or ')} ${REFUSED}`,
    `create trigger checkpoints_are_kept before delete on checkpoints ${REFUSED}`,
    `create trigger checkpoints_are_fixed before update on checkpoints ${REFUSED}`,
  ],
  postgres: [
    `create trigger checkpoints_are_kept before delete on checkpoints for each row execute function refuse_change()`,
    `create trigger checkpoints_are_fixed before update on checkpoints for each row execute function refuse_change()`,
  ],
}
