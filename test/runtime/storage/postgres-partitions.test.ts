/** `svc migrate partition` on a fresh database and an older one, while others append, read and erase. */
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sha256Hex } from '../../../src/crypto/json/digest.js'
import { erasureDraft } from '../../../src/crypto/trail/erasure.js'
import { startRecorder } from '../../../src/runtime/audit/recorder.js'
import { sealEntry, sealFor } from '../../../src/runtime/storage/seal.js'
import type { ErasureAccount, Storage } from '../../../src/runtime/storage/contract.js'
import {
  NotPartitioned,
  openPostgres,
  openPostgresPartitions,
  openPostgresSchema,
} from '../../../src/runtime/storage/postgres/index.js'
import { stepAfter, type PartitionFacts } from '../../../src/runtime/storage/postgres/partitions/next-step.js'
import { MIGRATIONS } from '../../../src/runtime/storage/sql/schema/index.js'
import { statementsFor } from '../../../src/runtime/storage/sql/schema/migration.js'
import { verifyTrail } from '../../races/verify-trail.js'
import { draft } from './examples.js'
import { startPostgres, type PostgresServer } from './postgres-server.js'
import { runSql as run } from './run-sql.js'

const open = (from: number, ending?: { at: number; isProved: boolean }) => ({ name: 'p', from, ...(ending && { ending }) }) // prettier-ignore
const SIZE = 10_000

describe('the next step', () => {
  it.each<[string, PartitionFacts, unknown]>([
    ['one table becomes a partition', { head: 5, size: SIZE }, { does: 'convert' }],
    ['the partition of a new service gets its end', { open: open(1), head: 0, size: SIZE }, { does: 'cut', at: 10_001 }],
    ['an empty one is in reserve', { open: open(10_001), head: 0, size: SIZE }, { does: 'cut', at: 20_001 }],
    ['is enough', { open: open(20_001), head: 0, size: SIZE }, { does: 'nothing' }],
    ['until its turn has come', { open: open(20_001), head: 9_999, size: SIZE }, { does: 'nothing' }],
    ['with the last entry of the one before', { open: open(20_001), head: 10_000, size: SIZE }, { does: 'cut', at: 30_001 }],
    ['few entries in the open one are read at once', { open: open(20_001), head: 20_500, size: SIZE }, { does: 'cut', at: 30_001 }],
    ['many are read before, with room for those that come meanwhile', { open: open(1), head: 1_000_000, size: SIZE }, { does: 'announce', at: 2_010_001 }],
    ['just as many as are read at once', { open: open(1), head: 10_000, size: SIZE }, { does: 'cut', at: 20_001 }],
    ['and one more', { open: open(1), head: 10_001, size: SIZE }, { does: 'announce', at: 30_001 }],
    ['in a part of a large partition, with room for as many as it takes', { open: open(1), head: 10_001, size: 50_000 }, { does: 'announce', at: 100_001 }],
    ['an end that was announced is proved', { open: open(1, { at: 20_001, isProved: false }), head: 5, size: SIZE }, { does: 'prove' }],
    ['and made', { open: open(1, { at: 20_001, isProved: true }), head: 5, size: SIZE }, { does: 'cut', at: 20_001 }],
  ])('%s', (_, facts, step) => {
    expect(stepAfter(facts)).toMatchObject(step as object)
  }) // prettier-ignore
})

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres(['fsync=off'])
}, 60_000)
afterAll(() => server.stop())

const partition = async (connectionString: string, size: number) => {
  const partitions = await openPostgresPartitions({ connectionString })
  return partitions.extend(size).finally(() => partitions.close())
}

const asServer = (connectionString: string): string => connectionString.replace('postgres@', 'svc_server@')

/** The server has the rights of docs/guides/storage.md, given before or after there were partitions. */
async function grantToServer(connectionString: string): Promise<void> {
  const rights = /```sql\n([\s\S]*?)```/u.exec(await readFile('docs/guides/storage.md', 'utf8'))?.[1]
  await run(connectionString, `do $$ begin create role svc_server login; exception when duplicate_object then end $$`)
  await run(connectionString, rights!)
}

const append = (storage: Storage, count: number, retentionMs?: number) => {
  const recorder = startRecorder({ storage, seal: sealFor(() => retentionMs) })
  const timestamp = '2020-01-01T00:00:00.000Z'
  return Promise.all(Array.from({ length: count }, () => recorder.record({ draft: draft({ timestamp }) })))
}

const ACCOUNT: ErasureAccount = {
  draft: (erased) => erasureDraft('service:retention', erased, 'Due.', '2020-01-02T00:00:00.000Z'),
  seal: sealEntry,
}
const DAY_MS = 24 * 3_600_000

/** A database as the fourth migration left it, with entries that have no time from which they may be erased. */
async function older(): Promise<string> {
  const connectionString = await server.database('older')
  await run(connectionString, 'create table schema_migrations (version bigint primary key, name text not null, checksum text not null, applied_at bigint not null)') // prettier-ignore
  for (const migration of MIGRATIONS.filter(({ version }) => version < 5)) {
    const statements = statementsFor(migration, 'postgres')
    for (const sql of statements) await run(connectionString, sql)
    await run(connectionString, `insert into schema_migrations values (${migration.version}, '${migration.name}', '${sha256Hex(statements.join(';\n'))}', 0)`) // prettier-ignore
  }
  const { leafHash, text } = sealEntry(draft(), 1)
  const hash = `'\\x${Buffer.from(leafHash).toString('hex')}'`
  await run(connectionString, `insert into audit_entries (sequence, text, hashes) values (1, '${text}', ${hash})`)
  await run(connectionString, `insert into audit_index (sequence, recorded_at, success) values (1, 0, 1)`)
  await run(connectionString, `update audit_head set size = 1, frontier = ${hash}`)
  await (await openPostgres({ connectionString, schema: 'migrate' })).close()
  return connectionString
}

/** Partitions that lack one of the three triggers, or have it switched off. */
const guardsOf = (connectionString: string) =>
  run(
    connectionString,
    `select inhrelid::regclass from pg_inherits where inhparent = 'audit_entries'::regclass and 3 <> (
      select count(*) from pg_trigger where tgrelid = inhrelid and tgname like 'audit_entries_%' and tgenabled = 'O')`,
  )

async function newer(): Promise<string> {
  const connectionString = await server.database('newer')
  await (await openPostgres({ connectionString, schema: 'migrate' })).close()
  return connectionString
}

describe.each([
  ['a new database', newer],
  ['an older one', older],
])('the partitions of %s', (_, make) => {
  let connectionString = ''
  let first: Storage
  let second: Storage
  beforeAll(async () => {
    connectionString = await make()
    await grantToServer(connectionString)
    first = await openPostgres({ connectionString: asServer(connectionString) })
    second = await openPostgres({ connectionString: asServer(connectionString) })
  }, 60_000)
  afterAll(async () => {
    await first.close()
    await second.close()
  })

  it('are made and extended beside replicas that append, read and erase, which notice nothing', async () => {
    const stopped = new AbortController()
    const working = [
      [first, DAY_MS],
      [second, 0],
    ].map(async ([storage, retentionMs]) => {
      while (!stopped.signal.aborted) {
        await append(storage as Storage, 7, retentionMs as number)
        await first.audit.newest(undefined, 3)
        await first.audit.nodes([{ level: 0, index: 0 }])
        await second.audit.erase({ due: Date.parse('2020-01-01T00:00:00.000Z'), limit: 9, account: ACCOUNT })
      }
    })
    for (let turn = 0; turn < 12; turn++) {
      await partition(connectionString, 40)
      await sleep(20)
    }
    stopped.abort()
    await Promise.all(working)
    const partitions = await partition(connectionString, 40)
    expect(partitions.length).toBeGreaterThan(3)
    expect(partitions[0]).toMatchObject({ name: 'audit_entries_from_1', from: 1 })
    for (const [index, { from }] of partitions.entries())
      if (index > 0) expect(partitions[index - 1]!.to).toBe(from - 1)
    expect(partitions.at(-1)!.from).toBeGreaterThan((await first.audit.size()) + 40)
    const { sequences } = await verifyTrail({ storage: { url: connectionString } })
    expect(sequences).toEqual(sequences.map((__, index) => index + 1))
  })

  it('N07: are append-only, each by itself: nothing is deleted, emptied, or erased before its time', async () => {
    const tables = ['audit_entries', ...(await partition(connectionString, 40)).map(({ name }) => name)]
    for (const table of tables) {
      await expect(run(connectionString, `truncate ${table}`), table).rejects.toThrow('append-only')
      await expect(run(asServer(connectionString), `truncate ${table}`), table).rejects.toThrow('permission denied')
    }
    const [whole, , second] = tables
    for (const table of [whole, second])
      for (const sql of [`delete from ${table}`, `update ${table} set text = null`, `update ${table} set hashes = ''`])
        await expect(run(connectionString, sql), sql).rejects.toThrow('append-only')
    expect(await guardsOf(connectionString)).toEqual([])
    await expect(run(asServer(connectionString), `update ${second} set text = null`)).rejects.toThrow('permission denied') // prettier-ignore
    await expect(run(asServer(connectionString), 'delete from audit_entries')).rejects.toThrow('permission denied')
    expect(await run(asServer(connectionString), `select 1 from ${second} limit 1`)).toHaveLength(1)
  })

  it('lose what is due in batches, and nothing else; the trail verifies', async () => {
    const texts = async () => (await run(connectionString, 'select sequence::int from audit_entries where text is not null and erasable_from is not null')).length // prettier-ignore
    const held = await texts()
    await first.audit.append(() => [{ draft: draft({ timestamp: '2020-01-03T00:00:00.000Z' }) }], sealEntry)
    const due = Date.parse('2020-01-02T12:00:00.000Z')
    const batches: number[] = []
    while (batches.at(-1) !== 0) batches.push(await first.audit.erase({ due, limit: 50, account: ACCOUNT }))
    expect(held).toBeGreaterThan(50)
    expect(batches.reduce((sum, each) => sum + each, 0)).toBe(held)
    expect([Math.max(...batches), await texts()]).toEqual([50, 0])
    await verifyTrail({ storage: { url: connectionString } })
  })

  it('let the owner of the schema erase before the time, and guard all of them again', async () => {
    const [last] = (await append(first, 1)).map((each) => each!.entry.sequence)
    const schema = await openPostgresSchema({ connectionString })
    await schema.erase([last!], ACCOUNT)
    expect(await schema.up()).toEqual([])
    await schema.close()
    expect(await guardsOf(connectionString)).toEqual([])
  })
})

it('many entries are read before the partition gets its end, and those who append go on', async () => {
  const connectionString = await server.database('long')
  const storage = await openPostgres({ connectionString, schema: 'migrate' })
  await run(connectionString, `insert into audit_entries select n, '{}', decode(repeat('00', 32), 'hex') from generate_series(1, 50000) n`) // prettier-ignore
  await run(connectionString, `update audit_head set size = 50000, frontier = decode(repeat('00', 32 * 6), 'hex')`)
  const partitions = await partition(connectionString, 20_000)
  expect(partitions.map(({ from, to }) => [from, to])).toEqual([[1, 120_000], [120_001, null]]) // prettier-ignore
  expect((await append(storage, 1))[0]!.entry.sequence).toBe(50_001)
  expect(await run(connectionString, `select conname from pg_constraint where conname like 'svc_%'`)).toEqual([])
  await storage.close()
})

it.each([
  ['killed', 'sequence >= 201 and sequence < 1001'],
  ['killed_before', 'sequence < 1001'],
])('an end that was announced before the command was %s is made by the next one', async (name, check) => {
  const connectionString = await server.database(name)
  const storage = await openPostgres({ connectionString, schema: 'migrate' })
  await partition(connectionString, 100)
  await run(connectionString, `alter table audit_entries_from_201 add constraint svc_migrate_partition_was_interrupted_run_it_again check (${check}) not valid`)
  await append(storage, 150)
  const partitions = await partition(connectionString, 100)
  expect(partitions.map(({ from, to }) => [from, to])).toEqual([[1, 100], [101, 200], [201, 1000], [1001, null]])
  expect(await run(connectionString, `select conname from pg_constraint where conname like 'svc_%'`)).toEqual([])
  await storage.close()
}) // prettier-ignore

it('waits for a long read, and those who append wait for neither', async () => {
  const connectionString = await server.database('read')
  const storage = await openPostgres({ connectionString, schema: 'migrate' })
  await append(storage, 3)
  const backup = new pg.Client({ connectionString })
  await backup.connect()
  await backup.query('begin; lock table audit_entries in access share mode')
  let over = false
  const partitioned = partition(connectionString, 100).finally(() => (over = true))
  let longest = 0
  for (const until = Date.now() + 1500; Date.now() < until;) {
    const from = Date.now()
    await append(storage, 1)
    longest = Math.max(longest, Date.now() - from)
  }
  expect(over).toBe(false)
  expect(longest).toBeLessThan(1000)
  await backup.end()
  expect(await partitioned).toHaveLength(3)
  await storage.close()
})

it('refuses what would go on with the first partition alone, and changes nothing', async () => {
  const connectionString = await server.database('viewed')
  await (await openPostgres({ connectionString, schema: 'migrate' })).close()
  await run(connectionString, 'create view texts as select text from audit_entries')
  await expect(partition(connectionString, 100)).rejects.toThrow(NotPartitioned)
  await expect(partition(connectionString, 100)).rejects.toThrow('The view texts is bound to the table audit_entries')
  expect(await run(connectionString, `select relkind from pg_class where relname = 'audit_entries'`)).toEqual([{ relkind: 'r' }]) // prettier-ignore
})
