/** The embedded default: one SQLite file (`svc-kit/runtime/sqlite`). */
import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isLibpqString, LIBPQ_REFUSED, noFile, schemeOf, shownPlace } from '../database-address.js'
import { makeFolder } from '../make-folder.js'
import { MISSING } from './missing-driver.js'
import { StorageUnavailable, type Storage } from '../contract.js'
import type { Schema } from '../sql/migrate.js'
import { bringSchema, schemaTool, type SchemaTool } from '../sql/schema-tool.js'
import type { Engine } from '../sql/plan.js'
import { NotCarried, type CarriedSource } from '../sql/carry.js'
import { wholeTrail, type WholeTrail } from '../sql/whole-trail.js'
import { storageOver } from '../sql/storage.js'
import { copyTo, isThere, type BackupOptions } from './backup.js'
import { openConnection, type SqliteConnection } from './connection.js'
import type { SqliteDriver } from './driver.js'
import { sqliteEngine } from './engine.js'
import { fileRemarks } from './file-remarks.js'
import { carriedSource } from './source.js'
import type { NodeSqlite } from './node-sqlite.js'
import { foldLog } from './write-ahead-log.js'

export interface SqliteOptions {
  /** Path of the database file; its folder is made when missing. `:memory:` keeps everything in memory, for tests. */
  readonly file: string
  /** ms since the epoch; decides every expiry. The system's clock by default. */
  readonly clock?: () => number
  /** Which SQLite: the one inside Node where it is there, else libsql. */
  readonly driver?: SqliteDriver['name']
  /** What to do about a schema that is not that of this version: migrate it (the default), or refuse to open. */
  readonly schema?: 'verify' | 'migrate'
}

export type { BackupOptions, SchemaTool }

const SQLITE: Schema = {
  engine: 'sqlite',
  recorded: `select 1 from sqlite_master where type = 'table' and name = 'schema_migrations'`,
  encoding: 'select encoding from pragma_encoding',
}

/**
 * Opens, or creates, a service's storage in one SQLite file, and brings its schema up to date. Durable: write-ahead log
 * with
 * `synchronous=FULL`. Rejects with `SchemaMismatch` for a file of a newer version that this one cannot use, `StorageUnavailable` if it cannot be opened.
 */
export async function openSqlite({ schema = 'migrate', ...options }: SqliteOptions): Promise<Storage> {
  const { connection, engine } = await openEngine(options)
  try {
    await bringSchema(schemaTool(engine, SQLITE), schema)
  } catch (error) {
    await engine.close()
    throw error instanceof StorageUnavailable ? unusable(options.file, error) : error
  }
  const remarks = await fileRemarks(options.file)
  return { ...storageOver(engine), remarks, foldLog: () => foldLog(options.file, connection) }
}

/** The schema of a SQLite file. The file is made when it is missing. */
export const openSqliteSchema = async (options: Omit<SqliteOptions, 'schema'>): Promise<SchemaTool> =>
  schemaTool((await openEngine(options)).engine, SQLITE)

/** What a service that is stopped has in its file, to carry elsewhere; nobody writes to it until it is closed. */
export interface SqliteSource extends CarriedSource {
  readonly trail: WholeTrail
  close(): void
}

/**
 * Opens the file of a service that is stopped. Rejects with `NotCarried` where a process holds it, or its trail is not
 * valid.
 */
export async function openSqliteSource(file: string): Promise<SqliteSource> {
  const [driver, ofFresh] = [await openDriver(file, undefined), await openDriver(':memory:', undefined)]
  const [connection, fresh] = [openConnection(driver, Date.now), openConnection(ofFresh, Date.now)]
  const close = (): void => {
    if (locked) connection.control('rollback')
    connection.close()
    fresh.close()
  }
  let locked = false
  try {
    await bringSchema(schemaTool(sqliteEngine(connection), SQLITE), 'verify')
    await bringSchema(schemaTool(sqliteEngine(fresh), SQLITE), 'migrate')
    connection.control('begin immediate')
    locked = true
    const source = carriedSource(connection, fresh)
    const trail = await sqliteEngine(connection).search(wholeTrail)
    if (trail.trouble !== undefined) throw new NotCarried(`The trail of ${file} is not valid. ${trail.trouble}`)
    return { ...source, trail, close }
  } catch (error) {
    close()
    throw error
  }
}

/**
 * Copies the database of a service that may be running, as it is at one moment, to a file that must not exist yet. The
 * copy is durable when it resolves. Rejects with `StorageUnavailable` when either file cannot be used.
 */
export async function backupSqlite(options: BackupOptions): Promise<void> {
  if (!(await isThere(options.file))) throw new StorageUnavailable(`There is no database ${options.file}.`)
  const driver = await openDriver(options.file, undefined)
  await copyTo(driver, options).finally(() => driver.close())
}

const FREE_SPACE = 'Free space on its disk.'
const ANOTHER_FILE = 'Name a SQLite file that this process may read and write, or one that is not there yet.'

/** Says why a file cannot be used. Of a name that is not repeated, the words of Node and of SQLite are not either. */
function unusable(file: string, error: unknown): StorageUnavailable {
  const isShown = shownPlace(file) === file
  const { code = 'unknown error' } = error as NodeJS.ErrnoException
  const reason = !isShown ? code : error instanceof Error ? error.message : String(error)
  const remedy = /is full|SQLITE_FULL|ENOSPC/u.test(`${code} ${reason}`) ? FREE_SPACE : ANOTHER_FILE
  return new StorageUnavailable(
    `The database ${shownPlace(file)} cannot be used: ${reason}. ${remedy}`,
    isShown ? { cause: error } : {},
  )
}

interface Opened {
  readonly connection: SqliteConnection
  readonly engine: Engine
}

async function openEngine({ file, clock = Date.now, driver }: SqliteOptions): Promise<Opened> {
  if (isLibpqString(file)) throw new StorageUnavailable(LIBPQ_REFUSED)
  const scheme = schemeOf(file)
  if (scheme !== undefined) throw new StorageUnavailable(noFile(scheme))
  if (file === '')
    throw new StorageUnavailable('The database has no name, and SQLite would lose it at the end. Name a file.')
  if (file !== ':memory:')
    await makeFolder(dirname(file)).catch((error: unknown) => {
      throw new StorageUnavailable(
        `Cannot make the folder of the database ${shownPlace(file)}: ${(error as NodeJS.ErrnoException).code}`,
      )
    })
  try {
    if (file !== ':memory:') await makePrivate(file)
    const connection = openConnection(await openDriver(file, driver), clock)
    return { connection, engine: sqliteEngine(connection) }
  } catch (error) {
    throw isMissingPackage(error) ? error : unusable(file, error)
  }
}

/** Makes a missing file, which nobody else may read: it holds parameters, previews and grants. */
const makePrivate = async (file: string): Promise<void> => (await open(file, 'a', 0o600)).close()

const isMissingPackage = (error: unknown): boolean => error instanceof StorageUnavailable && error.message === MISSING

async function openDriver(file: string, wanted: SqliteDriver['name'] | undefined): Promise<SqliteDriver> {
  const sqlite = wanted === 'libsql' ? undefined : nodeSqlite()
  if (sqlite !== undefined) return (await import('./node-sqlite.js')).openNodeSqlite(sqlite, file)
  if (wanted === 'node:sqlite') throw new Error('This Node has no node:sqlite; Node 22.13 or later has it.')
  return (await import('./libsql.js')).openLibsql(file)
}

/** Node 22 warns when it loads the module, which whoever runs a service can do nothing about. */
function nodeSqlite(): NodeSqlite | undefined {
  const builtin: (id: string) => object | undefined = process.getBuiltinModule
  const { emitWarning } = process
  process.emitWarning = () => undefined
  try {
    return builtin('node:sqlite') as NodeSqlite | undefined
  } finally {
    process.emitWarning = emitWarning
  }
}
