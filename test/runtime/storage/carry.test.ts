/** What a SQLite file has of each kind of row is in the new PostgreSQL as it was, and goes on from there. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { generateRingKey, signerFor, verificationKeys } from '../../../src/crypto/keys/key-ring.js'
import { sealEntry } from '../../../src/runtime/storage/seal.js'
import { makeCheckpoint } from '../../../src/runtime/checkpoints/make.js'
import type { Storage } from '../../../src/runtime/storage/contract.js'
import { carryToPostgres, openPostgres } from '../../../src/runtime/storage/postgres/index.js'
import { openSqlite, openSqliteSource } from '../../../src/runtime/storage/sqlite/index.js'
import { openLibsql } from '../../../src/runtime/storage/sqlite/libsql.js'
import { atMost, decision, draft, fresh, grantFor, request } from './examples.js'
import { startPostgres, type PostgresServer } from './postgres-server.js'
import { runSql } from './run-sql.js'

let server: PostgresServer
let folder: string
beforeAll(async () => {
  server = await startPostgres(['fsync=off'])
  folder = await mkdtemp(join(tmpdir(), 'svc-carry-'))
}, 120_000)
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true })
})

const RING = { keys: [generateRingKey('audit', 'active')] }
const event = (id: string) => ({ id, type: 'alarm.raised', subject: id, body: '{}', targets: ['ops'] }) as const
const append = (storage: Storage) => storage.audit.append(() => [{ draft: draft() }], sealEntry)
const checkpoint = (storage: Storage) =>
  makeCheckpoint({ storage, signer: () => signerFor(RING, 'audit'), keys: () => verificationKeys(RING, 'audit', 0), clock: () => 1, newId: () => fresh('cpt_') }) // prettier-ignore

async function filled(use: (storage: Storage) => Promise<unknown>): Promise<string> {
  const file = join(folder, fresh('service'))
  const storage = await openSqlite({ file })
  await use(storage).finally(() => storage.close())
  return file
}

async function carried(file: string, connectionString: string) {
  const source = await openSqliteSource(file)
  return carryToPostgres({ connectionString }, source).finally(() => source.close())
}

async function changed(file: string, ...statements: readonly string[]): Promise<string> {
  const driver = openLibsql(file)
  for (const sql of statements) driver.prepare(sql).run([])
  driver.close()
  return file
}

it('rows that refer to others, more of them than a page, and numbers that JavaScript has not', async () => {
  const bindings = Array.from({ length: 1_001 }, (_, n) => `bnd_${String(n).padStart(4, '0')}`)
  let grantId = ''
  const file = await filled(async (storage) => {
    for (const binding_id of bindings)
      await storage.bindings.insert({ binding_id, type: 'quote', capability: 'c', root_principal: 'human:a', issued_at: 1 })
    await storage.ledger.reserve('hold', [{ tokenId: 'tok_1', maxUnits: 9_007_199_254_740_995n }], 9_007_199_254_740_993n)
    const asked = await request(storage, 'who', 60_000)
    await storage.approvals.open(asked, atMost(9))
    const grant = await grantFor(storage, asked, 60_000)
    await storage.approvals.approve(grant, decision)
    grantId = grant.grant_id
  })
  const connectionString = await server.database('rows')
  const { tables } = await carried(file, connectionString)
  expect(tables.filter(({ rows }) => rows > 0)).toEqual([
    { table: 'approval_requests', rows: 1 },
    { table: 'approval_grants', rows: 1 },
    { table: 'approval_requesters', rows: 1 },
    { table: 'audit_head', rows: 1 },
    { table: 'bindings', rows: 1_001 },
    { table: 'holds', rows: 1 },
    { table: 'invocation_blocks', rows: 1 },
    { table: 'ledger', rows: 1 },
    { table: 'readiness', rows: 1 },
  ])
  const storage = await openPostgres({ connectionString })
  expect((await runSql(connectionString, 'select binding_id from bindings order by 1')).map(({ binding_id }) => binding_id)).toEqual(bindings)
  expect(await storage.ledger.spent('tok_1')).toBe(9_007_199_254_740_993n)
  expect(await storage.approvals.grant(grantId)).toMatchObject({ grant: { grant_id: grantId }, uses: 0 })
  await storage.close()
}) // prettier-ignore

it('events in their order, and those to come after them', async () => {
  const file = await filled((storage) => storage.outbox.add([event('e1'), event('e2'), event('e3')]))
  const connectionString = await server.database('events')
  await carried(file, connectionString)
  const storage = await openPostgres({ connectionString })
  await storage.outbox.add([event('e4')])
  const due = await storage.outbox.due('ops', 9)
  expect(due.map(({ eventId, sequence }) => [eventId, sequence])).toEqual([['e1', 1], ['e2', 2], ['e3', 3], ['e4', 4]]) // prettier-ignore
  await storage.close()
})

it('the trail with its checkpoints, and the next of each', async () => {
  const file = await filled(async (storage) => {
    for (let entry = 0; entry < 3; entry++) await append(storage)
    await checkpoint(storage)
    await append(storage)
  })
  const connectionString = await server.database('trail')
  const { before, after } = await carried(file, connectionString)
  expect([before.entries, after.entries, after.root]).toEqual([4, 4, before.root])
  const storage = await openPostgres({ connectionString })
  await append(storage)
  expect((await checkpoint(storage)).made).toMatchObject({ sequence: 2, entry_count: 5 })
  await storage.close()
})

const FREE = ['drop trigger audit_entries_are_fixed', 'drop trigger audit_entries_are_kept']

it.each([
  ['a checkpoint of another trail', 'update checkpoints set entry_count = 2', 'The checkpoint of 2 entries has another root.'],
  ['a checkpoint of more entries', 'update checkpoints set entry_count = 9', 'A checkpoint has 9 entries, the log 3.'],
  ['hashes that are not those of the entries', `update audit_entries set hashes = substr(hashes, 1, 32) where sequence = 2`, 'The hashes of entry 2 differ.'],
  ['a head of other entries', `update audit_head set frontier = (select hashes from audit_entries where sequence = 2)`, 'The head of the log is not that of its 3 entries.'],
])('no trail with %s', async (_, sql, message) => {
  const file = await filled(async (storage) => {
    for (let entry = 0; entry < 3; entry++) await append(storage)
    await checkpoint(storage)
  })
  await changed(file, ...FREE, `drop trigger if exists checkpoints_are_fixed`, sql)
  await expect(openSqliteSource(file)).rejects.toThrow(message)
}) // prettier-ignore

it('nothing where the new trail would be another one', async () => {
  const file = await filled((storage) => append(storage))
  const connectionString = await server.database('other')
  const source = await openSqliteSource(file)
  for (const trail of [
    { ...source.trail, entries: 2 },
    { ...source.trail, root: 'sha256:00' },
  ])
    await expect(carryToPostgres({ connectionString }, { ...source, trail })).rejects.toThrow(
      'The trail is not the same in the new database: its root differs.',
    )
  source.close()
  expect(await runSql(connectionString, 'select sequence from audit_entries')).toEqual([])
})

it('nothing into a database that has one row of its own', async () => {
  const file = await filled((storage) => append(storage))
  const connectionString = await server.database('used')
  const used = await openPostgres({ connectionString, schema: 'migrate' })
  await used.accounts.remember({ issuer: 'i', subject: 's' }, 'human:a')
  await used.close()
  await expect(carried(file, connectionString)).rejects.toThrow(
    'The table accounts of the new database has 1 rows already. Name an empty database.',
  )
  expect(await runSql(connectionString, 'select sequence from audit_entries')).toEqual([])
})

it('nothing of a file whose service runs; of one that was killed, once its lease has lapsed', async () => {
  const file = await filled((storage) => storage.leases.acquire('process:p', 'p', 60_000))
  await expect(openSqliteSource(file)).rejects.toThrow('A service runs on this database. Stop it;')
  await changed(file, `update leases set expires_at = ${Date.now() - 1}`)
  const connectionString = await server.database('killed')
  expect((await carried(file, connectionString)).tables).toContainEqual({ table: 'leases', rows: 1 })
})
