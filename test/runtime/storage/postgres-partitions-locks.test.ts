/** `svc migrate partition` beside others that hold locks: an end that was announced, and who takes it back. */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  openPostgres,
  openPostgresPartitions,
  openPostgresSchema,
} from '../../../src/runtime/storage/postgres/index.js'
import { sealEntry } from '../../../src/runtime/storage/seal.js'
import { askUnprepared } from '../../../src/runtime/storage/postgres/ask.js'
import { postgresEngine } from '../../../src/runtime/storage/postgres/engine.js'
import { partitionsOver } from '../../../src/runtime/storage/postgres/partitions/index.js'
import { patienceFor } from '../../../src/runtime/storage/postgres/partitions/obstacles.js'
import { startReader } from '../../../src/runtime/storage/postgres/reader.js'
import { draft } from './examples.js'
import { startPostgres, type PostgresServer } from './postgres-server.js'
import { connected, runSql } from './run-sql.js'

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres(['fsync=off', 'autovacuum=off'])
}, 60_000)
afterAll(() => server.stop())

const MIGRATION_LOCK = 'select pg_advisory_xact_lock(72158236049321)'

async function extend(connectionString: string, { attempts = 10, signal }: { attempts?: number; signal?: AbortSignal } = {}) {
  const partitions = await openPostgresPartitions({ connectionString, attempts })
  return partitions.extend(20_000, signal).finally(() => partitions.close())
} // prettier-ignore

/** Its open partition has too many entries to be read while it is held. */
async function long(name: string): Promise<string> {
  const connectionString = await server.database(name)
  await (await openPostgres({ connectionString, schema: 'migrate' })).close()
  await fill(connectionString, 1, 50_000)
  return connectionString
}

async function fill(connectionString: string, from: number, to: number): Promise<void> {
  await runSql(connectionString, `insert into audit_entries select n, '{}', decode(repeat('00', 32), 'hex') from generate_series(${from}, ${to}) n`) // prettier-ignore
  await runSql(connectionString, `update audit_head set size = ${to}, frontier = decode(repeat('00', 32 * 10), 'hex')`)
}

const announced = async (connectionString: string): Promise<boolean> =>
  (await runSql(connectionString, `select 1 from pg_constraint where conname like 'svc_migrate%'`)).length > 0

async function until(connectionString: string, sql: string): Promise<void> {
  while ((await runSql(connectionString, sql)).length === 0) await sleep(10)
}

const untilAnnounced = (connectionString: string) =>
  until(connectionString, `select 1 from pg_constraint where conname like 'svc_migrate%'`)

/** What a proof does before it reads. */
const proving = (connectionString: string, does: string) =>
  runSql(
    connectionString,
    `create function slow() returns event_trigger language plpgsql as $$
      begin if current_query() like '%validate constraint%' then ${does}; end if; end $$;
    create event trigger slow on ddl_command_start execute function slow()`,
  )

/** Somebody who writes into the first partition, and does not commit. */
async function writer(connectionString: string): Promise<pg.Client> {
  const client = await connected(connectionString)
  await client.query('begin; lock table only audit_entries_from_1 in row exclusive mode')
  return client
}

/** How long an append took at most, in ms. */
async function appendUntil(work: Promise<unknown>, connectionString: string): Promise<number> {
  const storage = await openPostgres({ connectionString })
  const over = new AbortController()
  const working = work.finally(() => over.abort())
  let longest = 0
  while (!over.signal.aborted) {
    const from = Date.now()
    await storage.audit.append(() => [{ draft: draft() }], sealEntry)
    longest = Math.max(longest, Date.now() - from)
  }
  await Promise.all([working, storage.close()])
  return longest
}

describe('a later partition with many entries', () => {
  it('is read before it gets its end, and not again while it is held', async () => {
    const connectionString = await server.database('later')
    await (await openPostgres({ connectionString, schema: 'migrate' })).close()
    await extend(connectionString)
    await fill(connectionString, 1, 80_000)
    const notices: string[] = []
    const types = { getTypeParser: (oid: number, format?: 'text') => (oid === 20 ? Number : pg.types.getTypeParser(oid, format)) } as pg.CustomTypesConfig // prettier-ignore
    const config = { connectionString, types, options: '-c client_min_messages=debug1' }
    const pool = new pg.Pool(config)
    pool.on('connect', (client) => client.on('notice', ({ message }) => notices.push(message ?? '')))
    const [reader, prober] = [startReader(pg, config, askUnprepared), startReader(pg, config, askUnprepared)]
    const searches = new pg.Pool(config)
    const engine = postgresEngine({ pool, searches, reader, prober, ask: askUnprepared })
    const partitions = partitionsOver(engine, 'select 1 as held')
    const found = await partitions.extend(20_000)
    await partitions.close()
    expect(found.at(-2)).toMatchObject({ from: 40_001, to: 140_000 })
    const said = notices.filter((each) => each.includes('audit_entries_from_40001'))
    expect(said.filter((each) => each.startsWith('verifying'))).toHaveLength(1)
    expect(said).toContainEqual(expect.stringContaining('is implied by existing constraints'))
  })
})

describe('an end that was announced', () => {
  it('is taken back after an error, as soon as its partition is free', async () => {
    const connectionString = await long('failed')
    await proving(connectionString, `perform pg_sleep(0.4); raise exception 'The disk is full.'`)
    const failed = expect(extend(connectionString)).rejects.toThrow(/The disk is full\.$/u)
    await untilAnnounced(connectionString)
    const writing = await writer(connectionString)
    await sleep(900)
    expect(await announced(connectionString)).toBe(true)
    await writing.end()
    await failed
    expect(await announced(connectionString)).toBe(false)
  })

  it('is named where it stays all the same', async () => {
    const connectionString = await long('stays')
    await proving(connectionString, `perform pg_sleep(0.4); raise exception 'The disk is full.'`)
    const failed = expect(extend(connectionString, { attempts: 2 })).rejects.toThrow(
      'The disk is full. From entry 120001 on none can be written until svc migrate partition is run again.',
    )
    await untilAnnounced(connectionString)
    const writing = await writer(connectionString)
    await failed
    await writing.end()
    await runSql(connectionString, 'drop event trigger slow')
    expect((await extend(connectionString)).at(-1)).toMatchObject({ from: 120_001, to: null })
    expect(await announced(connectionString)).toBe(false)
  })

  it('is taken back when the command is interrupted in the middle of a proof', async () => {
    const connectionString = await long('interrupted')
    await proving(connectionString, 'perform pg_sleep(60)')
    const interrupted = new AbortController()
    const rejected = expect(extend(connectionString, { signal: interrupted.signal })).rejects.toThrow(
      /^It was interrupted\.$/u,
    )
    await untilAnnounced(connectionString)
    await sleep(100)
    interrupted.abort()
    await rejected
    expect(await announced(connectionString)).toBe(false)
  })
})

describe('two runs', () => {
  it('do each other no harm while one proves, and the schema may be brought up to date', async () => {
    const connectionString = await long('two')
    await proving(connectionString, 'perform pg_sleep(2)')
    const first = extend(connectionString)
    await untilAnnounced(connectionString)
    await sleep(50)
    const schema = await openPostgresSchema({ connectionString })
    const from = Date.now()
    expect(await schema.up()).toEqual([])
    expect(Date.now() - from).toBeLessThan(1000)
    await schema.close()
    await expect(extend(connectionString, { attempts: 2 })).rejects.toThrow(/^Another svc migrate is at work.*afterwards\.$/u)
    expect(await announced(connectionString)).toBe(true)
    expect((await first).map(({ from }) => from)).toEqual([1, 120_001])
  }) // prettier-ignore

  it('may both prove', async () => {
    const connectionString = await long('both_prove')
    await proving(connectionString, 'perform pg_sleep(0.3)')
    const first = extend(connectionString)
    await untilAnnounced(connectionString)
    const both = await Promise.all([first, extend(connectionString, { attempts: 20 })])
    expect(both.map((each) => each.map(({ from }) => from))).toEqual([[1, 120_001], [1, 120_001]]) // prettier-ignore
    expect(await announced(connectionString)).toBe(false)
  })

  it('take no other step than the one that each set out to take', async () => {
    const connectionString = await long('one_step')
    const reading = await connected(connectionString)
    await reading.query('select pg_advisory_lock(42)')
    await proving(connectionString, `perform set_config('lock_timeout', '0', true), pg_advisory_xact_lock(42)`)
    const first = extend(connectionString, { attempts: 2 })
    await untilAnnounced(connectionString)
    const second = extend(connectionString)
    await until(connectionString, `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like 'lock table only audit_entries_from_1 in share update%'`) // prettier-ignore
    const migrating = await connected(connectionString)
    await migrating.query(`begin; ${MIGRATION_LOCK}`)
    await reading.query('select pg_advisory_unlock(42)')
    const refused = /^Another svc migrate is at work/u
    await Promise.all([expect(first).rejects.toThrow(refused), expect(second).rejects.toThrow(refused)])
    expect(await runSql(connectionString, `select 1 from pg_inherits where inhparent = 'audit_entries'::regclass`)).toHaveLength(1) // prettier-ignore
    await Promise.all([reading.end(), migrating.end()])
  })

  it('leave each other the end that one of them has proved', async () => {
    const connectionString = await long('proved')
    await proving(connectionString, 'perform pg_sleep(0.3)')
    const aborting = new AbortController()
    const first = extend(connectionString, { signal: aborting.signal }).catch(() => undefined)
    await until(connectionString, 'select 1 from pg_inherits')
    aborting.abort()
    await first
    const end = 'svc_migrate_partition_was_interrupted_run_it_again check (sequence < 120001)'
    await runSql(connectionString, `alter table audit_entries_from_1 add constraint ${end}`)
    const other = await connected(connectionString)
    await other.query(`begin; ${MIGRATION_LOCK}`)
    await expect(extend(connectionString, { attempts: 1 })).rejects.toThrow(/^Another svc migrate is.*afterwards\.$/u)
    expect(await announced(connectionString)).toBe(true)
    await other.end()
  })

  it('wait for whoever has the lock of migrations, and say so', async () => {
    const connectionString = await long('migrating')
    const migrating = await connected(connectionString)
    await migrating.query(`begin; ${MIGRATION_LOCK}`)
    await expect(extend(connectionString, { attempts: 2 })).rejects.toThrow('Another svc migrate is at work')
    const waiting = extend(connectionString, { attempts: 20 })
    await sleep(400)
    await migrating.end()
    expect(await waiting).toHaveLength(2)
  })
})

describe('a vacuum in the way', () => {
  it.each([
    ['an autovacuum alone is cancelled', ['autovacuum'], 1000, 1150],
    ['unless that takes too long', ['autovacuum'], 2000, 200],
    ['or somebody else is in the way, too', ['autovacuum', 'other'], 1000, 200],
    ['a vacuum of somebody is not', ['vacuum'], 1000, 200],
    ['nobody is in the way', [], 0, 200],
  ] as const)('%s', (_, by, deadlockMs, patience) => {
    expect(patienceFor({ by, deadlockMs })).toBe(patience)
  })

  it('is named', async () => {
    const connectionString = await long('vacuumed')
    await runSql(connectionString, 'delete from audit_index')
    const vacuuming = await connected(connectionString)
    const vacuum = vacuuming.query('set vacuum_cost_delay = 100; set vacuum_cost_limit = 1').then(() => vacuuming.query('vacuum audit_entries')) // prettier-ignore
    vacuum.catch(() => undefined)
    await until(connectionString, 'select 1 from pg_stat_progress_vacuum')
    await expect(extend(connectionString, { attempts: 3 })).rejects.toThrow('A vacuum of the entries is at work.')
    await runSql(connectionString, `select pg_cancel_backend(pid) from pg_stat_progress_vacuum`)
    await vacuuming.end()
  })

  it('gives way where it is of PostgreSQL itself, also to an owner who may not see whose it is', async () => {
    const own = await startPostgres(['fsync=off', 'autovacuum_naptime=1s', 'deadlock_timeout=300ms'])
    const connectionString = await own.database('own')
    await runSql(connectionString, 'create role svc_owner login; alter database own owner to svc_owner; alter schema public owner to svc_owner') // prettier-ignore
    const asOwner = connectionString.replace('postgres@', 'svc_owner@')
    await (await openPostgres({ connectionString: asOwner, schema: 'migrate' })).close()
    await runSql(asOwner, 'alter table audit_entries set (autovacuum_vacuum_insert_threshold = 10, autovacuum_vacuum_cost_delay = 20, autovacuum_vacuum_cost_limit = 1)') // prettier-ignore
    await fill(asOwner, 1, 50_000)
    await until(connectionString, `select 1 from pg_stat_activity where backend_type = 'autovacuum worker' and query like '%audit_entries%'`) // prettier-ignore
    const appending = appendUntil(extend(asOwner), asOwner)
    expect(await appending).toBeLessThan(1500)
    expect((await extend(asOwner)).map(({ from }) => from)).toEqual([1, 120_001])
    await own.stop()
  }, 60_000)
})
