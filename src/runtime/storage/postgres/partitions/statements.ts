/** Changes how the entries are stored, in transactions so short that nobody who appends notices. */
import { textColumn } from '../../sql/columns.js'
import { row, rows, type StoragePlan } from '../../sql/plan.js'
import { refuseWhatIsBound } from './bound.js'
import { ENDING } from './facts.js'
import type { OpenPartition } from './next-step.js'
import { giveReading, giveRights, rightsOf } from './rights.js'

const nameFrom = (sequence: number): string => `audit_entries_from_${sequence}`

const ROW_TRIGGERS = [
  `create trigger audit_entries_are_kept before delete on audit_entries for each row execute function refuse_change()`,
  `create trigger audit_entries_are_fixed before update on audit_entries for each row execute function refuse_early_erasure()`,
]
/** Of the whole, and of each partition by itself: this one is not inherited. */
const truncateTrigger = (table: string): string =>
  `create trigger audit_entries_stay before truncate on ${table} for each statement execute function refuse_change()`

/** Quoted, where that is needed. */
interface Place {
  readonly owner: string
  readonly schema: string
}

const PLACE = `
  select quote_ident(pg_get_userbyid(relowner)) as owner, relnamespace::regnamespace::text as schema
  from pg_class where oid = to_regclass('audit_entries')`

function* placeOfTheWhole(): StoragePlan<Place> {
  const stored = (yield* row(PLACE))!
  return { owner: textColumn(stored, 'owner'), schema: textColumn(stored, 'schema') }
}

/**
 * The table becomes the first partition, without an end. PostgreSQL reads nothing for that: every row belongs there. What names the table, as statements of
 * replicas do, means the whole from then on.
 */
export function* convert(): StoragePlan<void> {
  yield* refuseWhatIsBound()
  const { owner, schema } = yield* placeOfTheWhole()
  const rights = yield* rightsOf('audit_entries')
  const [whole, first] = [`${schema}.audit_entries`, `${schema}.${nameFrom(1)}`]
  yield* rows(`alter table audit_entries rename to ${nameFrom(1)}`)
  yield* rows(`alter index ${schema}.audit_entries_pkey rename to ${nameFrom(1)}_pkey`)
  yield* rows(`alter index ${schema}.audit_by_erasure rename to ${nameFrom(1)}_by_erasure`)
  for (const name of ['kept', 'fixed']) yield* rows(`drop trigger audit_entries_are_${name} on ${first}`)
  yield* rows(`create table ${whole} (like ${first} including defaults including storage including compression)
    partition by range (sequence)`)
  yield* rows(`alter table ${whole} add constraint audit_entries_pkey primary key (sequence)`)
  yield* rows(`create index audit_by_erasure on ${whole} (erasable_from)
    where text is not null and erasable_from is not null`)
  for (const sql of [...ROW_TRIGGERS, truncateTrigger(whole)]) yield* rows(sql)
  yield* rows(`alter table ${whole} attach partition ${first} for values from (minvalue) to (maxvalue)`)
  yield* rows(`alter table ${whole} owner to ${owner}`)
  yield* giveRights('audit_entries', rights)
  yield* giveReading(first)
}

/**
 * From now on no entry beyond the end enters the open partition; those that are in it are read by `prove`. PostgreSQL reads a partition again when it gets its
 * end, unless a check says both where it begins and where it ends.
 */
export function* announce({ name, from }: OpenPartition, end: number): StoragePlan<void> {
  const both = from === 1 ? `sequence < ${end}` : `sequence >= ${from} and sequence < ${end}`
  yield* rows(`alter table ${name} add constraint ${ENDING} check (${both}) not valid`)
}

/** Reads the partition, however long that takes, while others read, append and erase. */
export function* prove({ name }: OpenPartition): StoragePlan<void> {
  yield* rows('set local statement_timeout = 0')
  yield* rows(`alter table ${name} validate constraint ${ENDING}`)
}

export function* takeBack({ name }: Pick<OpenPartition, 'name'>): StoragePlan<void> {
  yield* rows(`alter table ${name} drop constraint if exists ${ENDING}`)
}

/** Ends the open partition, and begins the next one. */
export function* cut({ name, from }: OpenPartition, end: number): StoragePlan<void> {
  const { owner, schema } = yield* placeOfTheWhole()
  const begin = from === 1 ? 'minvalue' : String(from)
  const next = `${schema}.${nameFrom(end)}`
  yield* rows(`alter table audit_entries detach partition ${name}`)
  yield* rows(`alter table audit_entries attach partition ${name} for values from (${begin}) to (${end})`)
  yield* takeBack({ name })
  yield* rows(
    `create table ${next} partition of audit_entries for values from (${end}) to (maxvalue)${yield* settingsOf(name)}`,
  )
  yield* rows(`alter table ${next} owner to ${owner}`)
  yield* rows(truncateTrigger(next))
  yield* giveReading(next)
}

const SETTINGS_OF = `
  select string_agg(o.place || quote_ident(o.option_name) || '=' || quote_literal(o.option_value), ', ') as settings from (
    select '' as place, s.* from pg_class c, pg_options_to_table(c.reloptions) s where c.oid = to_regclass(?)
    union all
    select 'toast.', s.* from pg_class c join pg_class t on t.oid = c.reltoastrelid, pg_options_to_table(t.reloptions) s
      where c.oid = to_regclass(?)
  ) o`

/** What the owner set for the vacuum of a partition and the like is set for the next one. */
function* settingsOf(name: string): StoragePlan<string> {
  const settings = (yield* row(SETTINGS_OF, name, name))?.['settings']
  return typeof settings === 'string' ? ` with (${settings})` : ''
}
