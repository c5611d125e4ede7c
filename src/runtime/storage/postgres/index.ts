/** PostgreSQL, for any number of replicas (`svc-kit/runtime/postgres`); needs the package `pg`. */
import pg from 'pg'
import type { Storage } from '../contract.js'
import { migrate, migrationStatus, SchemaMismatch, type Schema } from '../sql/migrate.js'
import { storageOver } from '../sql/storage.js'
import { postgresEngine } from './engine.js'
import { startReader } from './reader.js'

export interface PostgresOptions {
  /** `postgresql://user:password@host:5432/database`, as libpq takes it. */
  readonly connectionString: string
  /** Connections for writing; one more is for reading. 10 by default. */
  readonly connections?: number
  /** What to do about a schema that is not that of this version: refuse to open (the default), or migrate it. */
  readonly schema?: 'verify' | 'migrate'
}

export const POSTGRES: Schema = {
  engine: 'postgres',
  lock: 'select pg_advisory_xact_lock(72158236049321)',
  recorded: `select 1 from pg_tables where schemaname = current_schema() and tablename = 'schema_migrations'`,
}

const INT8 = 20

/** 64-bit integers arrive as numbers; those that could exceed 2^53 are selected as text. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text'),
}

/**
 * Opens a service's storage in a PostgreSQL database. Every verb is durable when it resolves (`synchronous_commit=on`). Rejects
 * with `SchemaMismatch` unless the schema is that of this version (`svc migrate up` makes it so), and with
 * `StorageUnavailable` when the database cannot be reached.
 */
export async function openPostgres(options: PostgresOptions): Promise<Storage> {
  const engine = connect(options)
  try {
    if (options.schema === 'migrate') await migrate(engine, POSTGRES)
    await requireCurrentSchema(engine)
  } catch (error) {
    await engine.close()
    throw error
  }
  return storageOver(engine)
}

function connect({ connectionString, connections = 10 }: PostgresOptions): ReturnType<typeof postgresEngine> {
  const config = {
    connectionString,
    types,
    application_name: 'svc',
    keepAlive: true,
    connectionTimeoutMillis: 5_000,
    query_timeout: 15_000,
    statement_timeout: 10_000,
    idle_in_transaction_session_timeout: 10_000,
    options: '-c synchronous_commit=on -c default_transaction_isolation=read\\ committed',
  }
  const pool = new pg.Pool({ ...config, max: connections, pipeline: true })
  // A lost idle connection is replaced when the next one is borrowed.
  pool.on('error', () => undefined)
  return postgresEngine(pool, startReader(config))
}

async function requireCurrentSchema(engine: ReturnType<typeof postgresEngine>): Promise<void> {
  const { pending } = await migrationStatus(engine, POSTGRES)
  const [next] = pending
  if (next === undefined) return
  throw new SchemaMismatch(
    `The database lacks migration ${next.version} (${next.name}) and ${pending.length - 1} more; run \`svc migrate up\`.`,
  )
}
