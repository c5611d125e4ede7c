/** M3: searches of the trail have connections of their own on PostgreSQL, so that neither waits for the other. */
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sealEntry } from '../../../src/runtime/storage/seal.js'
import { openPostgres } from '../../../src/runtime/storage/postgres/index.js'
import { draft } from './examples.js'
import { startPostgres, type PostgresServer } from './postgres-server.js'

let server: PostgresServer
beforeAll(async () => void (server = await startPostgres(['fsync=off'])), 60_000)
afterAll(() => server.stop())

it('M3: a search is answered while every connection for writing waits, and a write while every search does', async () => {
  const connectionString = await server.database('searches')
  const storage = await openPostgres({ connectionString, connections: 1, schema: 'migrate' })
  await storage.audit.append(() => [{ draft: draft() }], sealEntry)
  const other = new pg.Client({ connectionString })
  await other.connect()
  await other.query('begin; select * from audit_head for update')
  const writing = storage.audit.append(() => [{ draft: draft() }], sealEntry)
  expect(await storage.audit.query({ limit: 5 })).toHaveLength(1)
  await other.query('rollback')
  await writing
  await other.query('begin; lock table audit_index in access exclusive mode')
  const searching = [1, 2, 3].map(() => storage.audit.query({ limit: 5 }))
  expect(await storage.leases.acquire('k', 'o', 1000)).toBe(true)
  await other.query('rollback')
  expect((await Promise.all(searching)).map((found) => found.length)).toEqual([2, 2, 2])
  await other.end()
  await storage.close()
})
