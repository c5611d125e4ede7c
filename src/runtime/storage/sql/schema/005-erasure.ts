import type { Migration } from './migration.js'

const FIXED = 'audit_entries_are_fixed'

/** Whether an entry may be erased: when its time has come by the clock of the machine, and by the newest entry. */
const NEWEST = '(select recorded_at from audit_index order by sequence desc limit 1)'

const FIXED_ON_SQLITE = `create trigger ${FIXED} before update on audit_entries
  when new.sequence <> old.sequence or new.hashes <> old.hashes or new.text is not null
    or new.erasable_from is not old.erasable_from
    or (old.text is not null and (
      old.erasable_from is null
      or old.erasable_from > cast((julianday('now') - 2440587.5) * 86400000 as integer)
      or old.erasable_from > coalesce(${NEWEST}, 0)))
  begin select raise(abort, 'The audit trail is append-only, and this entry is not erasable yet.'); end`

/** What lets the owner of the schema erase what is not due, within one transaction. Nobody else may run it. */
export const SUSPEND = {
  sqlite: [`drop trigger ${FIXED}`],
  postgres: [`alter table audit_entries disable trigger ${FIXED}`],
} as const
export const RESTORE = {
  sqlite: [FIXED_ON_SQLITE],
  postgres: [`alter table audit_entries enable trigger ${FIXED}`],
} as const

const INDEXED = [
  'root_principal', 'capability', 'event_class', 'success', 'client_reference_id', 'task_id', 'parent_invocation_id',
  'approval_request_id',
] // prettier-ignore
const someStays = INDEXED.map((column) => `new.${column} is not null`).join(' or ')

/**
 * Says of each entry from when on its content may be erased, for ever the same; null is never. Refuses what is earlier,
 * `truncate`, and changes of the columns that find an entry. Entries of before have no such time: retention leaves them
 * alone.
 */
export const erasure: Migration = {
  version: 5,
  name: 'erasure',
  statements: [
    'alter table audit_entries add column erasable_from bigint',
    `create index audit_by_erasure on audit_entries (erasable_from)
      where text is not null and erasable_from is not null`,
  ],
  sqlite: [
    `drop trigger ${FIXED}`,
    FIXED_ON_SQLITE,
    `create trigger audit_index_is_kept before delete on audit_index
      begin select raise(abort, 'The audit trail is append-only.'); end`,
    `create trigger audit_index_is_fixed before update on audit_index
      when new.sequence <> old.sequence or new.invocation_id is not old.invocation_id
        or new.recorded_at <> old.recorded_at or ${someStays}
        or exists (select 1 from audit_entries where sequence = old.sequence and text is not null)
      begin select raise(abort, 'The audit trail is append-only.'); end`,
  ],
  postgres: [
    `create function refuse_early_erasure() returns trigger language plpgsql as $$
      begin
        if new.sequence <> old.sequence or new.hashes <> old.hashes or new.text is not null
          or new.erasable_from is distinct from old.erasable_from
          or (old.text is not null and (
            old.erasable_from is null
            or old.erasable_from > extract(epoch from clock_timestamp()) * 1000
            or old.erasable_from > coalesce(${NEWEST}, 0)))
        then raise exception 'The audit trail is append-only, and this entry is not erasable yet.';
        end if;
        return new;
      end $$`,
    `drop trigger ${FIXED} on audit_entries`,
    `create trigger ${FIXED} before update on audit_entries for each row execute function refuse_early_erasure()`,
    `create function refuse_change_of_index() returns trigger language plpgsql as $$
      begin
        if new.sequence <> old.sequence or new.invocation_id is distinct from old.invocation_id
          or new.recorded_at <> old.recorded_at or ${someStays}
          or exists (select 1 from audit_entries where sequence = old.sequence and text is not null)
        then raise exception 'The audit trail is append-only.';
        end if;
        return new;
      end $$`,
    `create trigger audit_index_is_kept before delete on audit_index for each row execute function refuse_change()`,
    `create trigger audit_index_is_fixed before update on audit_index
      for each row execute function refuse_change_of_index()`,
    ...['audit_entries', 'audit_index', 'checkpoints'].map(
      (table) =>
        `create trigger ${table}_stay before truncate on ${table} for each statement execute function refuse_change()`,
    ),
  ],
  completion: 'account for what was erased before',
}
