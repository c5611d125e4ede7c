/** What `svc migrate partition` carries, what it refuses and why, and what it makes of partitions that others made. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  NotPartitioned,
  openPostgresPartitions,
  openPostgresSchema,
} from '../../../src/runtime/storage/postgres/index.js'
import { startPostgres, type PostgresServer } from './postgres-server.js'
import { runSql } from './run-sql.js'

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres(['fsync=off', 'wal_level=logical'])
}, 60_000)
afterAll(() => server.stop())

let databases = 0

async function migrated(): Promise<string> {
  const connectionString = await server.database(`bound_${databases++}`)
  const schema = await openPostgresSchema({ connectionString })
  await schema.up()
  await schema.close()
  return connectionString
}

async function extend(connectionString: string, size = 100) {
  const partitions = await openPostgresPartitions({ connectionString, attempts: 1 })
  return partitions.extend(size).finally(() => partitions.close())
}

const ROLES = `do $$ begin create role reader; create role auditor; exception when duplicate_object then end $$`

describe('bound to the table', () => {
  // prettier-ignore
  const cases: readonly (readonly [what: string, sql: string, message: RegExp, undo: string])[] = [
    ['a view', 'create view texts as select text from audit_entries', /^The view texts is bound/u, 'drop view texts'],
    ['a rule', 'create rule r as on update to audit_entries do also select 1', /^The rule r is bound/u, 'drop rule r on audit_entries'],
    ['a function', 'create function most() returns bigint begin atomic select max(sequence) from audit_entries; end', /^The function most\(\) is bound/u, 'drop function most'],
    ['a function of a row', `create function of(audit_entries) returns text language sql as $$select $1.text$$`, /^The function of\(audit_entries\) is bound/u, 'drop function of'],
    ['a trigger', `create trigger mine after insert on audit_entries for each row execute function suppress_redundant_updates_trigger()`, /^The trigger mine is bound/u, 'drop trigger mine on audit_entries'],
    ['a publication', 'create publication p for table audit_entries', /^The publication p is bound/u, 'drop publication p'],
    ['a publication of all tables', 'create publication p for all tables', /^The publication p would publish.*: alter publication p set/u, 'alter publication p set (publish_via_partition_root = true)'],
    ['a publication of a schema', 'create publication "Q" for tables in schema public', /^The publication "Q" would publish/u, 'drop publication "Q"'],
    ['a foreign key', 'create table o (s bigint constraint f references audit_entries)', /^The foreign key f is bound/u, 'drop table o'],
    ['a check', 'alter table audit_entries add constraint c check (sequence > 0)', /^The constraint c is bound/u, 'alter table audit_entries drop constraint c'],
    ['an index', 'create index i on audit_entries (hashes)', /^The index i is bound/u, 'drop index i'],
    ['statistics', 'create statistics s on sequence, erasable_from from audit_entries', /^The statistics object s is bound/u, 'drop statistics s'],
    ['a child', 'create table child () inherits (audit_entries)', /^The child table child is bound/u, 'drop table child'],
    ['a policy', 'create policy o on audit_entries using (true)', /^The policy o is bound/u, 'drop policy o on audit_entries'],
    ['row security', 'alter table audit_entries enable row level security', /^Row security of audit_entries would go on/u, 'alter table audit_entries disable row level security'],
    ['a right passed on', 'grant select on audit_entries to reader with grant option; set role reader; grant select on audit_entries to auditor', /that of auditor, given by reader\. Revoke it/u, 'revoke select on audit_entries from reader cascade'],
  ]
  let connectionString = ''
  beforeAll(async () => {
    connectionString = await migrated()
    await runSql(connectionString, ROLES)
  })

  it.each(cases)('%s is refused, and nothing is changed', async (_, sql, message, undo) => {
    await runSql(connectionString, sql)
    const error: unknown = await extend(connectionString).catch((reason: unknown) => reason)
    await runSql(connectionString, undo)
    expect(error).toBeInstanceOf(NotPartitioned)
    expect((error as Error).message).toMatch(message)
    expect(await runSql(connectionString, `select relkind from pg_class where relname = 'audit_entries'`)).toEqual([{ relkind: 'r' }]) // prettier-ignore
  })

  it('and nothing else is', async () => {
    expect(await extend(connectionString)).toHaveLength(3)
  })
})

it('what is set for the vacuum of one partition is set for the next', async () => {
  const connectionString = await migrated()
  await runSql(connectionString, `alter table audit_entries set (autovacuum_vacuum_scale_factor = 0.02, toast.autovacuum_enabled = false)`) // prettier-ignore
  const last = (await extend(connectionString)).at(-1)!
  const set = `
    select c.reloptions as own, t.reloptions as toast from pg_class c join pg_class t on t.oid = c.reltoastrelid
    where c.oid = '${last.name}'::regclass`
  expect(await runSql(connectionString, set)).toEqual([
    { own: ['autovacuum_vacuum_scale_factor=0.02'], toast: ['autovacuum_enabled=false'] },
  ])
})

it('a partition in another schema, and one whose name has to be quoted, are its own all the same', async () => {
  const connectionString = await migrated()
  await extend(connectionString)
  await runSql(connectionString, `create schema "Archive"; alter table audit_entries_from_1 set schema "Archive"`)
  await runSql(connectionString, `alter table audit_entries_from_201 rename to "Last"`)
  await runSql(connectionString, `update audit_head set size = 150, frontier = decode(repeat('00', 32 * 4), 'hex')`)
  expect((await extend(connectionString)).map(({ name }) => name)).toEqual([
    '"Archive".audit_entries_from_1',
    'audit_entries_from_101',
    '"Last"',
    'audit_entries_from_301',
  ])
})

describe('partitions that others made', () => {
  it('are named, with what to do', async () => {
    const connectionString = await migrated()
    await extend(connectionString)
    await runSql(connectionString, 'create table "Rest" partition of audit_entries default')
    const partitions = await openPostgresPartitions({ connectionString })
    for (const ask of [partitions.announced, partitions.list, () => partitions.extend(100)])
      await expect(ask()).rejects.toThrow(/^The partition "Rest" \(DEFAULT\) was not made by .* detach partition "Rest"$/u)
    await expect(partitions.announced()).rejects.toThrow(NotPartitioned)
    await partitions.close()
  }) // prettier-ignore

  it('and a last one that is missing, too', async () => {
    const connectionString = await migrated()
    const last = (await extend(connectionString)).at(-1)!
    await runSql(connectionString, `alter table audit_entries detach partition ${last.name}`)
    await expect(extend(connectionString)).rejects.toThrow('The partition of audit_entries without an end is missing')
  })
})

it('a right on all tables, given afterwards, gives nothing but reading of partitions from the next run on', async () => {
  const connectionString = await migrated()
  await runSql(connectionString, ROLES)
  const names = (await extend(connectionString)).map(({ name }) => name)
  await runSql(connectionString, 'grant select, insert, update, delete on all tables in schema public to reader')
  await runSql(connectionString, 'grant update on audit_entries_from_1 to auditor; grant update (text) on audit_entries_from_1 to auditor') // prettier-ignore
  await runSql(connectionString, 'revoke delete on audit_entries from reader')
  await extend(connectionString)
  const can = `
    select grantee::text, table_name::text as name, string_agg(privilege_type, ' ' order by privilege_type) as may
    from information_schema.table_privileges where grantee in ('reader', 'auditor') and table_name like 'audit_entries%' group by 1, 2 order by 2`
  expect(await runSql(connectionString, can)).toEqual([
    { grantee: 'reader', name: 'audit_entries', may: 'INSERT SELECT UPDATE' },
    ...names.map((name) => ({ grantee: 'reader', name, may: 'SELECT' })),
  ])
  expect(await runSql(connectionString, `select 1 from information_schema.column_privileges where grantee = 'auditor'`)).toEqual([]) // prettier-ignore
  await runSql(connectionString, 'alter table audit_entries enable row level security')
  await extend(connectionString)
  expect((await runSql(connectionString, can)).map(({ name }) => name)).toEqual(['audit_entries'])
})
