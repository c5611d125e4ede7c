/** The schema of one database, for whoever looks after it: the command line, and back ends when they open. */
import {
  migrate,
  migrationStatus,
  rehearse,
  SchemaMismatch,
  type MigrationName,
  type MigrationStatus,
  type Schema,
} from './migrate.js'
import type { Erased } from '../../../protocol/audit.js'
import type { ErasureAccount } from '../contract.js'
import { confirmClock, readClock, type DatabaseClock } from './clock.js'
import { eraseGiven } from './erase.js'
import { textColumn } from './columns.js'
import { row, type Engine, type StoragePlan } from './plan.js'

export interface SchemaTool {
  /** How the database encodes text, as it names that. */
  encoding(): Promise<string>
  /** What was applied, and what this version would still apply. */
  status(): Promise<MigrationStatus>
  /** Applies what is pending, all or nothing, under a lock; gives what it applied. */
  up(): Promise<readonly MigrationName[]>
  /** Does what `up` does, and undoes it: shows whether it would succeed. */
  rehearse(): Promise<readonly MigrationName[]>
  /**
   * Erases the content of entries whatever their age, as only the owner of the schema can, and appends the entry that
   * accounts for it. Rejects with `NotErasable`, and erases nothing, where an entry is missing, erased already, or
   * itself an erasure.
   */
  erase(sequences: readonly number[], account: ErasureAccount): Promise<Erased>
  /** What the clock of the database says, ms, and what processes have vouched for. */
  clock(): Promise<DatabaseClock>
  /** Vouches for the clock of the database, on the word of its owner. */
  confirmClock(): Promise<DatabaseClock>
  close(): Promise<void>
}

export const schemaTool = (engine: Engine, schema: Schema): SchemaTool => ({
  encoding: () => engine.search(() => encodingOf(schema)),
  status: () => migrationStatus(engine, schema),
  up: () => migrate(engine, schema),
  rehearse: () => rehearse(engine, schema),
  erase: (sequences, account) => engine.write(() => eraseGiven(schema.engine, sequences, account)),
  clock: () => engine.read(readClock),
  confirmClock: () => engine.write(confirmClock),
  close: () => engine.close(),
})

const notUtf8 = (encoding: string): string =>
  `The encoding of the database is ${encoding}, and must be UTF-8. ` +
  'Make another file for SQLite; for PostgreSQL: createdb --template template0 --encoding UTF8 <name>'

function* encodingOf({ encoding }: Schema): StoragePlan<string> {
  const found = yield* row(encoding)
  return found === undefined ? 'unknown' : textColumn(found, 'encoding')
}

/** Rejects with `SchemaMismatch` unless the text is UTF-8 and the schema is that of this version or one that it can use; `migrate` makes it so first. */
export async function bringSchema(tool: SchemaTool, mode: 'verify' | 'migrate'): Promise<void> {
  const encoding = await tool.encoding()
  if (!/^utf-?8$/iu.test(encoding)) throw new SchemaMismatch(notUtf8(encoding))
  if (mode === 'migrate') await tool.up()
  const { pending } = await tool.status()
  if (pending.length === 0) return
  const names = pending.map(({ version, name }) => `${version} (${name})`).join(', ')
  throw new SchemaMismatch(`The database lacks these migrations: ${names}. Apply them with: svc migrate up`)
}
