/** Brings a database to the schema of this version: forward only, each change once, under a lock. */
import { sha256Hex } from '../../../crypto/json/digest.js'
import { integer, optionalInteger, textColumn } from './columns.js'
import { keep, row, rows, undo, type Engine, type WriteOutcome, type StoragePlan, type Row } from './plan.js'
import { MIGRATIONS } from './schema/index.js'
import { accountForTheErased } from './erase.js'
import { statementsFor, type Completion, type EngineName, type Migration } from './schema/migration.js'

const LEDGER = `
  create table if not exists schema_migrations (
    version bigint primary key, name text not null, checksum text not null, applied_at bigint not null)`

/** All columns: `readable_from` is not there before migration 14. */
const APPLIED = 'select * from schema_migrations order by version'
const RECORD = 'insert into schema_migrations (version, name, checksum, applied_at) values (?, ?, ?, :now)'
const RECORD_READABLE = 'update schema_migrations set readable_from = ? where version = ?'

/** A newer version made the schema one that this version cannot use, or a released migration was altered. */
export class SchemaMismatch extends Error {
  override readonly name = 'SchemaMismatch'
}

/** What was applied to a database, and what this version would still apply. */
export interface MigrationStatus {
  readonly applied: readonly AppliedMigration[]
  readonly pending: readonly MigrationName[]
}

export interface MigrationName {
  readonly version: number
  readonly name: string
}

export interface AppliedMigration extends MigrationName {
  /** ms since the epoch, by the database's clock. */
  readonly applied_at: number
}

export interface Schema {
  readonly engine: EngineName
  /** A statement that makes other migrators wait until the transaction ends, where the transaction itself does not. */
  readonly lock?: string
  /** A statement that gives a row if the table of migrations is there. */
  readonly recorded: string
  /** A statement that gives the `encoding` of the database. */
  readonly encoding: string
}

export const migrationStatus = (engine: Engine, schema: Schema): Promise<MigrationStatus> =>
  engine.search(() => status(schema))

/** Applies what is pending, all or nothing, and gives what was applied. */
export const migrate = (engine: Engine, schema: Schema): Promise<readonly MigrationName[]> =>
  engine.write(() => apply(schema, keep))

/** Applies what is pending and undoes it again: whatever would fail, fails. */
export const rehearse = (engine: Engine, schema: Schema): Promise<readonly MigrationName[]> =>
  engine.write(() => apply(schema, undo))

function* status(schema: Schema): StoragePlan<MigrationStatus> {
  const recorded = yield* row(schema.recorded)
  const applied = recorded === undefined ? [] : yield* rows(APPLIED)
  const pending = pendingAfter(applied, schema)
  return {
    applied: applied.map(appliedMigration),
    pending: pending.map(({ version, name }) => ({ version, name })),
  }
}

function* apply(schema: Schema, end: typeof keep | typeof undo): StoragePlan<WriteOutcome<readonly MigrationName[]>> {
  if (schema.lock !== undefined) yield* rows(schema.lock)
  yield* rows(LEDGER)
  const pending = pendingAfter(yield* rows(APPLIED), schema)
  for (const migration of pending) {
    for (const sql of statementsFor(migration, schema.engine)) yield* rows(sql)
    yield* rows(RECORD, migration.version, migration.name, checksumOf(migration, schema.engine))
  }
  for (const { version, readableFrom } of pending)
    if (readableFrom !== undefined) yield* rows(RECORD_READABLE, readableFrom, version)
  for (const { completion } of pending) if (completion !== undefined) yield* COMPLETIONS[completion]()
  return end(pending.map(({ version, name }) => ({ version, name })))
}

const COMPLETIONS: { readonly [completion in Completion]: () => StoragePlan<void> } = {
  'account for what was erased before': accountForTheErased,
}

function pendingAfter(applied: readonly Row[], { engine }: Schema): readonly Migration[] {
  for (const stored of applied) {
    const { version, name } = appliedMigration(stored)
    const known = MIGRATIONS.find((migration) => migration.version === version)
    if (known === undefined) {
      refuseUnreadable(stored)
      continue
    }
    if (textColumn(stored, 'checksum') === checksumOf(known, engine)) continue
    throw new SchemaMismatch(`Migration ${version} (${name}) was applied in another form than this version knows.`)
  }
  const known = new Set(applied.map((stored) => integer(stored, 'version')))
  return MIGRATIONS.filter(({ version }) => !known.has(version))
}

/** What a newer version did stands in nobody's way where it says so; where it says nothing, nobody knows. */
function refuseUnreadable(stored: Row): void {
  const from = optionalInteger(stored, 'readable_from')
  if (from !== undefined && from <= MIGRATIONS.at(-1)!.version) return
  const { version, name } = appliedMigration(stored)
  const needed =
    from === undefined ? 'which no older version can use' : `which versions before migration ${from} cannot use`
  throw new SchemaMismatch(`The database has migration ${version} (${name}), made by a newer version, ${needed}.`)
}

const appliedMigration = (stored: Row): AppliedMigration => ({
  version: integer(stored, 'version'),
  name: textColumn(stored, 'name'),
  applied_at: integer(stored, 'applied_at'),
})

const checksumOf = (migration: Migration, engine: EngineName): string =>
  sha256Hex(statementsFor(migration, engine).join(';\n'))
