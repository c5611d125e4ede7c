/** PostgreSQL, for any number of replicas (`svc-kit/runtime/postgres`); needs the package `pg`. */
import type pg from 'pg'
import { StorageUnavailable, type Storage } from '../contract.js'
import { isLibpqString, isPostgresAddress, LIBPQ_REFUSED, noAddress } from '../database-address.js'
import type { Schema } from '../sql/migrate.js'
import { carry, type Carried, type CarriedSource } from '../sql/carry.js'
import type { Engine } from '../sql/plan.js'
import type { WholeTrail } from '../sql/whole-trail.js'
import { bringSchema, schemaTool, type SchemaTool } from '../sql/schema-tool.js'
import { storageOver } from '../sql/storage.js'
import { loadDriver, type PgDriver } from './driver.js'
import { verifyConnectionLimit } from './connection-limit.js'
import { postgresEngine } from './engine.js'
import { askUnprepared, runStatement, unavailable } from './ask.js'
import { NotPartitioned, partitionsOver, type Partition, type Partitions } from './partitions/index.js'
import { startReader } from './reader.js'
import { ownerRemark, verifySchemaRight, verifyTableRights } from './rights.js'
import { isPooled, askingOf, verifySettings } from './settings.js'

export interface PostgresOptions {
  /**
   * `postgresql://user:password@host:5432/database`, as libpq takes it; with `?pgbouncer=true` behind PgBouncer in transaction mode, where the role of
   * the service brings the settings, and nothing is prepared.
   */
  readonly connectionString: string
  /** Connections for writing, 10 by default; two more are for searches, one for reads by key, and one for health. */
  readonly connections?: number
  /** What to do about a schema that is not that of this version: refuse to open (the default), or migrate it. */
  readonly schema?: 'verify' | 'migrate'
}

export { NotPartitioned, type Partition, type Partitions, type SchemaTool }

const MIGRATING = 72158236049321
/** Of migrations, without waiting for it. */
const TRY_LOCK = `select pg_try_advisory_xact_lock(${MIGRATING})::int as held`

const POSTGRES = {
  engine: 'postgres',
  lock: `select pg_advisory_xact_lock(${MIGRATING})`,
  recorded: `select 1 from pg_tables where schemaname = current_schema() and tablename = 'schema_migrations'`,
  encoding: `
    select pg_encoding_to_char(encoding)::text as encoding from pg_database where datname = current_database()`,
} as const satisfies Schema

const INT8 = 20

/** 64-bit integers arrive as numbers; those that could exceed 2^53 are selected as text. */
const typesOf = ({ types }: PgDriver): pg.CustomTypesConfig => ({
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? Number : types.getTypeParser(oid, format as 'text'),
})

/**
 * Opens a service's storage in a PostgreSQL database. Every verb is durable when it resolves (`synchronous_commit=on`).
 * Rejects with `SchemaMismatch` unless the schema is that of this version (`svc migrate up` makes it so) or one that it can use, and with
 * `StorageUnavailable` when the database cannot be reached, is no address, or the package `pg` is missing.
 */
export async function openPostgres(options: PostgresOptions): Promise<Storage> {
  const engine = await connect(options)
  try {
    if (!isPooled(options.connectionString))
      await verifyConnectionLimit(engine, (options.connections ?? CONNECTIONS) + SEARCHES + SINGLE)
    await verifySchemaRight(engine)
    await bringSchema(schemaTool(engine, POSTGRES), options.schema ?? 'verify')
    await verifyTableRights(engine)
    const remark = await ownerRemark(engine)
    return { ...storageOver(engine), remarks: remark === undefined ? [] : [remark] }
  } catch (error) {
    await engine.close()
    throw error
  }
}

const UNREADABLE =
  'The address of the database cannot be read. Escape what is special in it: / as %2F, # as %23, @ as %40.'

const isUnreadable = (error: unknown): boolean =>
  error instanceof TypeError && 'code' in error && error.code === 'ERR_INVALID_URL'

/** The schema of a PostgreSQL database. */
export const openPostgresSchema = async (options: Omit<PostgresOptions, 'schema'>): Promise<SchemaTool> =>
  schemaTool(await connect(options), POSTGRES)

export interface PartitionsOptions extends Omit<PostgresOptions, 'schema'> {
  /** How often it asks for a lock that others hold, 60 times by default: about half a minute. */
  readonly attempts?: number
}

/** How the entries of the trail are stored: as one table, or in partitions. Only the owner of the schema can change that. */
export const openPostgresPartitions = async ({ attempts, ...options }: PartitionsOptions): Promise<Partitions> =>
  partitionsOver(await connect({ ...options, connections: 1 }, NO_LIMIT), TRY_LOCK, attempts)

/** Carries all that a source has into a database that is empty, and brings its schema up to date first. */
export async function carryToPostgres(
  options: Omit<PostgresOptions, 'schema'>,
  source: CarriedSource & { readonly trail: WholeTrail },
): Promise<Carried> {
  const engine = await connect({ ...options, connections: 1 })
  try {
    await bringSchema(schemaTool(engine, POSTGRES), 'migrate')
    return await engine.write(() => carry(source, source.trail))
  } finally {
    await engine.close()
  }
}

/** A database that says nothing for so long is given up, whatever it was asked. */
const ANSWER_MS = 15_000
const NO_LIMIT = 0
/** Reads by key take a millisecond; a connection that does not answer is given up. */
const READ_MS = 5_000
const PROBE_MS = 1_000
/** Searches of the trail that run at a time in this process; the others wait. */
const SEARCHES = 2
const CONNECTIONS = 10
/** Of reads by key, and of health. */
const SINGLE = 2

async function connect(
  { connectionString, connections = CONNECTIONS }: PostgresOptions,
  answerMs = ANSWER_MS,
): Promise<Engine> {
  if (isLibpqString(connectionString)) throw new StorageUnavailable(LIBPQ_REFUSED)
  if (!isPostgresAddress(connectionString)) throw new StorageUnavailable(noAddress(connectionString))
  const driver = await loadDriver()
  const pooled = isPooled(connectionString)
  const config = {
    ...(pooled ? { connectionString } : askingOf(connectionString)),
    types: typesOf(driver),
    application_name: 'svc',
    keepAlive: true,
    connectionTimeoutMillis: 5_000,
    query_timeout: answerMs,
  }
  const ask = pooled ? askUnprepared : runStatement
  const pool = poolOf(driver, { ...config, max: connections, pipeline: true })
  const searches = poolOf(driver, { ...config, max: SEARCHES })
  const reader = startReader(driver, { ...config, query_timeout: READ_MS }, ask)
  const probing = { ...config, connectionTimeoutMillis: PROBE_MS, query_timeout: PROBE_MS }
  const prober = startReader(driver, probing, ask)
  const engine = postgresEngine({ pool, searches, reader, prober, ask })
  try {
    await verifySettings(pool, pooled)
  } catch (error) {
    await engine.close()
    throw isUnreadable(error) ? new StorageUnavailable(UNREADABLE, { cause: error }) : unavailable(error)
  }
  return engine
}

/** A lost connection fails whoever uses it, and is replaced when the next one is borrowed. */
function poolOf({ Pool }: PgDriver, config: pg.PoolConfig): pg.Pool {
  const pool = new Pool(config)
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}
