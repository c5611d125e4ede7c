/** The embedded default: one SQLite file (`svc-kit/runtime/sqlite`). */
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Storage } from '../contract.js'
import { migrate, type Schema } from '../sql/migrate.js'
import { storageOver } from '../sql/storage.js'
import { connect } from './connection.js'
import type { Driver } from './driver.js'
import { sqliteEngine } from './engine.js'
import type { NodeSqlite } from './node-sqlite.js'

export interface SqliteOptions {
  /** Path of the database file; its folder is made when missing. `:memory:` keeps everything in memory, for tests. */
  readonly file: string
  /** ms since the epoch; decides every expiry. The system's clock by default. */
  readonly clock?: () => number
  /** Which SQLite: the one inside Node where it is there, else libsql. */
  readonly driver?: Driver['name']
}

export const SQLITE: Schema = {
  engine: 'sqlite',
  recorded: `select 1 from sqlite_master where type = 'table' and name = 'schema_migrations'`,
}

/**
 * Opens, or creates, a service's storage in one SQLite file, and brings its schema up to date. Durable: write-ahead log with
 * `synchronous=FULL`. Rejects with `SchemaMismatch` for a file of a newer version, `StorageUnavailable` if it cannot be opened.
 */
export async function openSqlite({ file, clock = Date.now, driver }: SqliteOptions): Promise<Storage> {
  if (file !== ':memory:') await mkdir(dirname(file), { recursive: true })
  const engine = sqliteEngine(connect(await openDriver(file, driver), clock))
  await migrate(engine, SQLITE)
  return storageOver(engine)
}

async function openDriver(file: string, wanted: Driver['name'] | undefined): Promise<Driver> {
  const sqlite = wanted === 'libsql' ? undefined : nodeSqlite()
  if (sqlite !== undefined) return (await import('./node-sqlite.js')).openNodeSqlite(sqlite, file)
  if (wanted === 'node:sqlite') throw new Error('This Node has no node:sqlite; Node 22.13 or later has it.')
  return (await import('./libsql.js')).openLibsql(file)
}

function nodeSqlite(): NodeSqlite | undefined {
  const builtin: (id: string) => object | undefined = process.getBuiltinModule
  return builtin('node:sqlite') as NodeSqlite | undefined
}
