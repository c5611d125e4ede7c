/** A database that a service refuses at its start: another service's, or one that is not UTF-8 (decisions, section 20). */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Storage } from '../../../src/runtime/storage/contract.js'
import { openPostgres } from '../../../src/runtime/storage/postgres/index.js'
import { openSqlite } from '../../../src/runtime/storage/sqlite/index.js'
import { startFixture } from '../fixture/service.js'
import { startPostgres, type PostgresServer } from './postgres-server.js'

let server: PostgresServer
let folder = ''
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-own-'))
  server = await startPostgres(['fsync=off'])
}, 60_000)
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true })
})

const hotels = { manifest: { service_identity: { id: 'hotels' } } }

describe.each([
  ['SQLite', () => openSqlite({ file: join(folder, 'own.db') })],
  ['PostgreSQL', async () => openPostgres({ connectionString: await server.database('own'), schema: 'migrate' })],
] as const)('on %s', (_, open) => {
  it('another service’s database is refused, and one’s own is not', async () => {
    const storage: Storage = await open()
    const clock = Date.now
    await startFixture({ storage, clock })
    await expect(startFixture({ storage, clock, ...hotels })).rejects.toThrow(
      'The database belongs to the service "flights", and this service is "hotels". Give it a database of its own, or put the id of the manifest back.',
    )
    await startFixture({ storage, clock })
    await storage.close()
  })
})

it('what a writer of the database calls its service is cut and escaped', async () => {
  const file = join(folder, 'long.db')
  const storage = await openSqlite({ file })
  await startFixture({ storage, clock: Date.now })
  const driver = new Database(file)
  driver.prepare('update readiness set service_id = ?').run(`\u001B[2J${'x'.repeat(10_000)}`)
  driver.close()
  const error: unknown = await startFixture({ storage, clock: Date.now }).catch((thrown: unknown) => thrown)
  expect(String(error)).toMatch(/^StartUpError: The database belongs to the service "\\u001b\[2Jx{252}", and/u)
  await storage.close()
})

const REFUSED = (encoding: string) =>
  `The encoding of the database is ${encoding}, and must be UTF-8. Make another file for SQLite; for PostgreSQL: createdb --template template0 --encoding UTF8 <name>`

it('a file of SQLite in UTF-16 is refused', async () => {
  const file = join(folder, 'wide.db')
  const driver = new Database(file)
  driver.exec(`pragma encoding = 'UTF-16le'; create table wide (id integer)`)
  driver.close()
  await expect(openSqlite({ file })).rejects.toThrow(REFUSED('UTF-16le'))
})

it('a database of PostgreSQL in another encoding is refused', async () => {
  const address = await server.database('plain')
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  await client.query(`create database ascii template template0 encoding 'SQL_ASCII' lc_collate 'C' lc_ctype 'C'`)
  await client.end()
  const connectionString = address.replace(/\/plain(?=$|\?)/u, '/ascii')
  await expect(openPostgres({ connectionString, schema: 'migrate' })).rejects.toThrow(REFUSED('SQL_ASCII'))
})
