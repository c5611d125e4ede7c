/** Reads from PostgreSQL's catalogue how the entries are stored. */
import { integer, optionalInteger, textColumn } from '../../sql/columns.js'
import { row, rows, type Row, type StoragePlan } from '../../sql/plan.js'
import type { OpenPartition, PartitionFacts } from './next-step.js'

/** A part of the entries. */
export interface Partition {
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
  select c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bound, pg_total_relation_size(c.oid) as bytes
  from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = to_regclass('audit_entries')`
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

function partitionOf(stored: Row): Omit<Partition, 'since'> {
  const [name, bound] = [textColumn(stored, 'name'), textColumn(stored, 'bound')]
  const parts = BOUND.exec(bound)
  if (parts === null) throw new Error(`The partition ${name} is not one of svc migrate partition: ${bound}.`)
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
  return last === undefined ? { head, size } : { open: { ...last, ...(yield* endingOf(last.name)) }, head, size }
}

/** Where entries will find no place, since nobody has made the end that was announced. */
export function* endAnnounced(): StoragePlan<number | undefined> {
  const last = yield* openPartition()
  return last && (yield* endingOf(last.name)).ending?.at
}

function* openPartition(): StoragePlan<Omit<Partition, 'since'> | undefined> {
  return (yield* rows(PARTITIONS)).map(partitionOf).find(({ to }) => to === null)
}

function* endingOf(name: string): StoragePlan<Pick<OpenPartition, 'ending'>> {
  const stored = yield* row(ENDING_OF, name)
  if (stored === undefined) return {}
  const at = Number(/sequence < '?(\d+)/u.exec(textColumn(stored, 'said'))![1])
  return { ending: { at, isProved: integer(stored, 'proved') === 1 } }
}

function* headSize(): StoragePlan<number> {
  const head = yield* row(HEAD)
  return head === undefined ? 0 : integer(head, 'size')
}
