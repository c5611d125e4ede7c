/** Reads from PostgreSQL's catalogue how the entries are stored. */
import { integer, optionalInteger, optionalText, textColumn } from '../../sql/columns.js'
import { row, rows, type Row, type StoragePlan } from '../../sql/plan.js'
import type { OpenPartition, PartitionFacts } from './next-step.js'
import { NotPartitioned } from './not-partitioned.js'

/** A part of the entries. */
export interface Partition {
  /** As SQL names it: quoted, and with its schema, where that is needed. */
  readonly name: string
  /** The first sequence that belongs to it. */
  readonly from: number
  /** The last one; null for the partition that has no end. */
  readonly to: number | null
  /** When its first entry was recorded, in ms since the epoch; null where it has none. */
  readonly since: number | null
  readonly bytes: number
}

/** Said by PostgreSQL where entries reach the end that was announced, and nobody went on. */
export const ENDING = 'svc_migrate_partition_was_interrupted_run_it_again'

const PARTITIONS = `
  select c.oid::regclass::text as name, pg_get_expr(c.relpartbound, c.oid) as bound, pg_total_relation_size(c.oid) as bytes
  from pg_class p join pg_inherits i on i.inhparent = p.oid join pg_class c on c.oid = i.inhrelid
  where p.oid = to_regclass('audit_entries') and p.relkind = 'p'`
const KIND = `select relkind::text as kind from pg_class where oid = to_regclass('audit_entries')`
const SINCE = 'select recorded_at from audit_index where sequence >= ? order by sequence limit 1'
const HEAD = 'select size from audit_head where id = 1'
const ENDING_OF = `
  select pg_get_constraintdef(oid) as said, convalidated::int as proved from pg_constraint
  where conrelid = to_regclass(?) and conname = '${ENDING}'`
const BOUND = /^FOR VALUES FROM \((?:MINVALUE|'(\d+)')\) TO \((?:MAXVALUE|'(\d+)')\)$/u

/** In their order; none where the entries are one table. */
export function* partitionsNow(): StoragePlan<readonly Partition[]> {
  const size = yield* headSize()
  const found = (yield* rows(PARTITIONS)).map(partitionOf).sort((one, other) => one.from - other.from)
  const partitions: Partition[] = []
  for (const each of found) {
    const began = each.from > size ? undefined : yield* row(SINCE, each.from)
    partitions.push({ ...each, since: (began && optionalInteger(began, 'recorded_at')) ?? null })
  }
  return partitions
}

type Place = Omit<Partition, 'since'>

function partitionOf(stored: Row): Place {
  const [name, bound] = [textColumn(stored, 'name'), optionalText(stored, 'bound') ?? 'no bound']
  const parts = BOUND.exec(bound)
  if (parts === null)
    throw new NotPartitioned(
      `The partition ${name} (${bound}) was not made by svc migrate partition, which cannot go on beside it. Move it out of the way; where it holds no entry, run: alter table audit_entries detach partition ${name}`,
    )
  return {
    name,
    from: Number(parts[1] ?? 1),
    to: parts[2] === undefined ? null : Number(parts[2]) - 1,
    bytes: integer(stored, 'bytes'),
  }
}

export function* factsNow(size: number): StoragePlan<PartitionFacts> {
  const last = yield* openPartition()
  const head = yield* headSize()
  return last === undefined ? { head, size } : { open: { ...last, ...(yield* announcedEndOf(last.name)) }, head, size }
}

/** Where entries will find no place, since nobody has made the end that was announced. */
export function* endAnnounced(): StoragePlan<number | undefined> {
  const last = yield* openPartition()
  return last && (yield* announcedEndOf(last.name)).ending?.at
}

function* openPartition(): StoragePlan<Place | undefined> {
  const open = (yield* rows(PARTITIONS)).map(partitionOf).find(({ to }) => to === null)
  const kind = yield* row(KIND)
  if (open !== undefined || kind === undefined || textColumn(kind, 'kind') !== 'p') return open
  throw new NotPartitioned(
    'The partition of audit_entries without an end is missing, so entries will find no place. Attach it ' +
      'again; its bound is: for values from (the end of the last one) to (maxvalue)',
  )
}

export function* announcedEndOf(name: string): StoragePlan<Pick<OpenPartition, 'ending'>> {
  const stored = yield* row(ENDING_OF, name)
  if (stored === undefined) return {}
  const at = Number(/sequence < '?(\d+)/u.exec(textColumn(stored, 'said'))![1])
  return { ending: { at, isProved: integer(stored, 'proved') === 1 } }
}

function* headSize(): StoragePlan<number> {
  const head = yield* row(HEAD)
  return head === undefined ? 0 : integer(head, 'size')
}
