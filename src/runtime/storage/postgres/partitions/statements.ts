/** Changes how the entries are stored, in transactions so short that nobody who appends notices. */
import { textColumn } from '../../sql/columns.js'
import { rows, type StoragePlan } from '../../sql/plan.js'
import { ENDING } from './facts.js'
import type { OpenPartition } from './next-step.js'
import { giveRights, ownerOfTable, readingAmong, rightsOf } from './rights.js'

/** Why entries cannot be partitioned. */
export class NotPartitioned extends Error {
  override readonly name = 'NotPartitioned'
}

/** Whoever appends waits at most so long; behind a long read, as of a backup, the change gives up and is tried again. */
export const PATIENCE = `set local lock_timeout = '200ms'`

export function* hold(): StoragePlan<void> {
  yield* rows('lock table audit_entries in access exclusive mode')
}

const nameFrom = (sequence: number): string => `audit_entries_from_${sequence}`

const ROW_TRIGGERS = [
  `create trigger audit_entries_are_kept before delete on audit_entries for each row execute function refuse_change()`,
  `create trigger audit_entries_are_fixed before update on audit_entries for each row execute function refuse_early_erasure()`,
]
/** Of the whole, and of each partition by itself: this one is not inherited. */
const truncateTrigger = (table: string): string =>
  `create trigger audit_entries_stay before truncate on ${table} for each statement execute function refuse_change()`

/** What would go on with the one table, and so with the first partition alone. */
const BOUND_TO_THE_TABLE = `
  select 'view ' || v.ev_class::regclass as what from pg_rewrite v join pg_depend d on d.objid = v.oid
    where d.classid = 'pg_rewrite'::regclass and d.refobjid = to_regclass('audit_entries')
  union select 'publication ' || p.pubname from pg_publication_rel r join pg_publication p on p.oid = r.prpubid
    where r.prrelid = to_regclass('audit_entries')
  union select 'foreign key ' || conname from pg_constraint where confrelid = to_regclass('audit_entries')
  union select 'policy ' || polname from pg_policy where polrelid = to_regclass('audit_entries')`

/**
 * The table becomes the first partition, without an end. PostgreSQL reads nothing for that: every row belongs there. What names the table, as statements of
 * replicas do, means the whole from then on.
 */
export function* convert(): StoragePlan<void> {
  const [bound] = yield* rows(BOUND_TO_THE_TABLE)
  if (bound !== undefined)
    throw new NotPartitioned(
      `The ${textColumn(bound, 'what')} is bound to the table audit_entries and would go on with its first partition alone. Drop it, and make it again afterwards.`,
    )
  const first = nameFrom(1)
  const [rights, owner] = [yield* rightsOf('audit_entries'), yield* ownerOfTable('audit_entries')]
  yield* rows(`alter table audit_entries rename to ${first}`)
  yield* rows(`alter index audit_entries_pkey rename to ${first}_pkey`)
  yield* rows(`alter index audit_by_erasure rename to ${first}_by_erasure`)
  for (const name of ['kept', 'fixed']) yield* rows(`drop trigger audit_entries_are_${name} on ${first}`)
  yield* rows(`create table audit_entries (like ${first} including defaults including storage including compression)
    partition by range (sequence)`)
  yield* rows('alter table audit_entries add constraint audit_entries_pkey primary key (sequence)')
  yield* rows(`create index audit_by_erasure on audit_entries (erasable_from)
    where text is not null and erasable_from is not null`)
  for (const sql of [...ROW_TRIGGERS, truncateTrigger('audit_entries')]) yield* rows(sql)
  yield* rows(`alter table audit_entries attach partition ${first} for values from (minvalue) to (maxvalue)`)
  yield* rows(`alter table audit_entries owner to ${owner}`)
  yield* giveRights('audit_entries', rights)
  yield* giveRights(first, readingAmong(rights))
}

/** From now on no entry beyond the end enters the open partition; those that are in it are read by `prove`. */
export function* announce({ name }: OpenPartition, end: number): StoragePlan<void> {
  yield* rows(`alter table ${name} add constraint ${ENDING} check (sequence < ${end}) not valid`)
}

/** Reads the partition, however long that takes, while others read, append and erase. */
export function* prove({ name }: OpenPartition): StoragePlan<void> {
  yield* rows('set local statement_timeout = 0')
  yield* rows(`alter table ${name} validate constraint ${ENDING}`)
}

export function* takeBack({ name }: OpenPartition): StoragePlan<void> {
  yield* rows(`alter table ${name} drop constraint if exists ${ENDING}`)
}

/** Ends the open partition, and begins the next one. */
export function* cut({ name, from }: OpenPartition, end: number): StoragePlan<void> {
  const [rights, owner] = [yield* rightsOf('audit_entries'), yield* ownerOfTable('audit_entries')]
  const begin = from === 1 ? 'minvalue' : String(from)
  const next = nameFrom(end)
  yield* rows(`alter table audit_entries detach partition ${name}`)
  yield* rows(`alter table audit_entries attach partition ${name} for values from (${begin}) to (${end})`)
  yield* rows(`alter table ${name} drop constraint if exists ${ENDING}`)
  yield* rows(`create table ${next} partition of audit_entries for values from (${end}) to (maxvalue)`)
  yield* rows(`alter table ${next} owner to ${owner}`)
  yield* rows(truncateTrigger(next))
  yield* giveRights(next, readingAmong(rights))
}
