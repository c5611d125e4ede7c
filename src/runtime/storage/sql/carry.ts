/** Carries the rows of another database into an empty one, in one transaction (decisions, section 13). */
import { insertMany } from './insert-many.js'
import { integer, textColumn } from './columns.js'
import { keep, row, rows, type Row, type StoragePlan, type Value, type WriteOutcome } from './plan.js'
import { wholeTrail, type WholeTrail } from './whole-trail.js'

/** A database that is read while nobody writes to it. */
export interface CarriedSource {
  readonly tables: readonly CarriedTable[]
}

export interface CarriedTable {
  readonly name: string
  readonly columns: readonly string[]
  /** The rows that a new database has of itself. */
  readonly seeds: number
  pages(): Iterable<readonly Row[]>
}

export interface Carried {
  readonly tables: readonly { readonly table: string; readonly rows: number }[]
  readonly before: WholeTrail
  readonly after: WholeTrail
}

/** Why nothing was carried. */
export class NotCarried extends Error {
  override readonly name = 'NotCarried'
}

const IDENTITIES = `select table_name, column_name from information_schema.columns
  where table_schema = current_schema() and is_identity = 'YES'`

/** All tables, in the order in which they may refer to each other; nothing stands unless the trail is the same. */
export function* carry({ tables }: CarriedSource, before: WholeTrail): StoragePlan<WriteOutcome<Carried>> {
  for (const { name, seeds } of tables) yield* refuseFull(name, seeds)
  for (const { name, seeds } of tables) if (seeds > 0) yield* rows(`delete from ${name}`)
  const carried: { table: string; rows: number }[] = []
  for (const table of tables) carried.push({ table: table.name, rows: yield* carryTable(table) })
  for (const identity of yield* rows(IDENTITIES)) yield* goOnAfter(identity)
  const after = yield* wholeTrail()
  if (after.trouble !== undefined || after.root !== before.root || after.entries !== before.entries)
    throw new NotCarried(`The trail is not the same in the new database: ${after.trouble ?? 'its root differs.'}`)
  return keep({ tables: carried, before, after })
}

function* refuseFull(name: string, seeds: number): StoragePlan<void> {
  const found = integer((yield* row(`select count(*) as total from ${name}`))!, 'total')
  if (found > seeds)
    throw new NotCarried(`The table ${name} of the new database has ${found} rows already. Name an empty database.`)
}

function* carryTable({ name, columns, pages }: CarriedTable): StoragePlan<number> {
  const into = `${name} (${columns.join(', ')}) overriding system value`
  let count = 0
  for (const page of pages()) {
    const values = page.flatMap((stored) => columns.map((column) => valueOf(stored[column])))
    yield* insertMany(into, columns.length, values)
    // Waits, so that no more than a page is on its way.
    yield* rows('select 1 as one')
    count += page.length
  }
  return count
}

/** One driver of SQLite gives bytes as an `ArrayBuffer`. */
const valueOf = (value: unknown): Value => (value instanceof ArrayBuffer ? new Uint8Array(value) : (value as Value))

/** Numbers that the database gives go on after the largest. */
function* goOnAfter(identity: Row): StoragePlan<void> {
  const [table, column] = [textColumn(identity, 'table_name'), textColumn(identity, 'column_name')]
  yield* rows(
    `select setval(pg_get_serial_sequence('${table}', '${column}'), coalesce(max(${column}), 0) + 1, false) ` +
      `from ${table}`,
  )
}
