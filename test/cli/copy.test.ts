/** A service moves from SQLite to PostgreSQL with everything it knows, and its trail is the same. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import pg from 'pg'
import { written } from './written.js'
import { copy } from '../../src/cli/migrate/copy.js'
import { openPostgres } from '../../src/runtime/storage/postgres/index.js'
import { openSqlite } from '../../src/runtime/storage/sqlite/index.js'
import { openConnection } from '../../src/runtime/storage/sqlite/connection.js'
import { openLibsql } from '../../src/runtime/storage/sqlite/libsql.js'
import { capability } from '../runtime/fixture/manifest.js'
import { startFixture } from '../runtime/fixture/service.js'
import { startPostgres, type PostgresServer } from '../runtime/storage/postgres-server.js'

let server: PostgresServer
let folder: string
let said = ''
let databases = 0

beforeAll(async () => {
  server = await startPostgres(['fsync=off'])
}, 120_000)
afterAll(() => server.stop())
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-copy-'))
  said = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((said += String(text)), true))
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
})

const emptyDatabase = () => server.database(`copied${databases++}`)
const CAPABILITIES = { search: capability() }

/** A service that has worked: tokens, answers under keys, entries, a revocation, a checkpoint's worth of trail. */
async function workedFile() {
  const file = join(folder, 'service.db')
  const storage = await openSqlite({ file })
  const fixture = await startFixture({ storage, clock: Date.now, capabilities: CAPABILITIES })
  const root = await fixture.root()
  for (let call = 0; call < 40; call++)
    await fixture.invoke('search', root.token, { parameters: {} }, { 'idempotency-key': `key-${call}` })
  const gone = await fixture.root()
  await fixture.post('/svc/tokens/revoke', 'ana-key', { token_id: gone.token_id })
  await fixture.service.close()
  await storage.close()
  return { file, root, gone }
}

function inFile<Result>(file: string, use: (connection: ReturnType<typeof openConnection>) => Result): Result {
  const connection = openConnection(openLibsql(file), Date.now)
  try {
    return use(connection)
  } finally {
    connection.close()
  }
}

async function inDatabase(
  connectionString: string,
  sql: string,
): Promise<readonly { readonly [column: string]: unknown }[]> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    return (await client.query<{ [column: string]: unknown }>(sql)).rows
  } finally {
    await client.end()
  }
}

it('is asked for by name, and says which file is not there', async () => {
  const to = await emptyDatabase()
  await expect(written(['migrate', 'copy', '--from', 'none.db', '--to', to])).resolves.toMatchObject({ code: 2 })
})

it('carries every row of every table, and the service goes on there', async () => {
  const { file, root, gone } = await workedFile()
  const to = await emptyDatabase()
  expect(await copy({ from: file, to })).toBe(0)
  const [, entries] = /The trail of (\d+) entries verifies before and after: sha256:/u.exec(said) ?? []
  const tables = inFile(file, (connection) =>
    connection.run({ sql: `select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name <> 'schema_migrations'`, values: [] })
      .map(({ name }) => [String(name), Number(connection.run({ sql: `select count(*) as total from ${String(name)}`, values: [] })[0]!['total'])] as const),
  ) // prettier-ignore
  expect(tables.length).toBeGreaterThan(20)
  expect(tables.find(([name]) => name === 'audit_entries')![1]).toBe(Number(entries))
  for (const [name, count] of tables)
    expect([name, (await inDatabase(to, `select count(*)::int as total from ${name}`))[0]!['total']]).toEqual([
      name,
      count,
    ])
  const storage = await openPostgres({ connectionString: to })
  const fixture = await startFixture({ storage, clock: Date.now, capabilities: CAPABILITIES })
  const again = await fixture.invoke('search', root.token, { parameters: {} }, { 'idempotency-key': 'key-7' })
  const fresh = await fixture.invoke('search', root.token)
  const revoked = await fixture.invoke('search', gone.token)
  expect([again.status, fresh.status, revoked.body['failure']!['type']]).toEqual([200, 200, 'token_revoked'])
  expect(await storage.audit.size()).toBe(Number(entries) + 1)
  await fixture.service.close()
  await storage.close()
})

it('refuses a database that has something, and a file whose service runs; nothing is written', async () => {
  const { file } = await workedFile()
  const to = await emptyDatabase()
  await copy({ from: file, to })
  await expect(copy({ from: file, to })).rejects.toThrow(/^The table \w+ of the new database has \d+ rows already\. Name an empty database\. Nothing was written\.$/u) // prettier-ignore
  const storage = await openSqlite({ file })
  const { service } = await startFixture({ storage, clock: Date.now, capabilities: CAPABILITIES })
  const other = await emptyDatabase()
  await expect(copy({ from: file, to: other })).rejects.toThrow('A service runs on this database. Stop it;')
  await service.close()
  await storage.close()
  expect(await inDatabase(other, `select 1 from pg_tables where tablename = 'tokens'`)).toEqual([])
})

it('refuses a file of a newer version, even of one beside which this one serves: it would leave out what it does not know', async () => {
  const { file } = await workedFile()
  inFile(file, (connection) => connection.control("insert into schema_migrations values (999, 'later', 'x', 0, 14)"))
  const to = await emptyDatabase()
  await expect(copy({ from: file, to })).rejects.toThrow('made this database (migration 999). Copy it with that version. Nothing was written.') // prettier-ignore
})

it.each([
  [
    'another text',
    `update audit_entries set text = '{}' where sequence = 3`,
    'Entry 3 is not the one that was hashed.',
  ],
  ['a missing entry', 'delete from audit_entries where sequence = 3', 'Entry 3 is missing.'],
  ['another head', 'update audit_head set size = 7', 'The head of the log is not that of its'],
])('refuses a trail with %s', async (_, sql, message) => {
  const { file } = await workedFile()
  inFile(file, (connection) => {
    for (const name of ['audit_entries_are_fixed', 'audit_entries_are_kept']) connection.control(`drop trigger ${name}`)
    connection.control(sql)
  })
  await expect(copy({ from: file, to: await emptyDatabase() })).rejects.toThrow(message)
})

it('takes a file and an address, and says what to give', async () => {
  const to = await emptyDatabase()
  await expect(copy({ from: to, to })).rejects.toThrow('Copy from a SQLite file to a postgresql:// address')
  await expect(copy({ from: join(folder, 'none.db'), to })).rejects.toThrow('There is no database')
})
