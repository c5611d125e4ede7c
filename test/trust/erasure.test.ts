import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { coverage } from '../../src/crypto/trail/erasure.js'
import { signerFor, verificationKeys } from '../../src/crypto/keys/key-ring.js'
import { makeCheckpoint } from '../../src/runtime/checkpoints/make.js'
import { readKeyRing } from '../../src/runtime/keys/key-directory.js'
import { openPostgres, openPostgresSchema } from '../../src/runtime/storage/postgres/index.js'
import { openSqlite } from '../../src/runtime/storage/sqlite/index.js'
import type { Storage } from '../../src/runtime/storage/contract.js'
import { startPostgres, type PostgresServer } from '../runtime/storage/postgres-server.js'
import { svc } from './command.js'
import { originOf } from './origin.js'
import { draftOf, seal } from './trail.js'

let folder = ''
let origin: readonly string[] = []
let server: PostgresServer
const path = (name: string) => join(folder, name)
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-erasure-'))
  await svc('keys', 'generate', '--dir', path('keys'))
  origin = await originOf(path('keys'), path('origin'))
  server = await startPostgres(['fsync=off'])
}, 60_000)
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true })
})

interface Subject {
  /** As the command line names it. */
  readonly database: string
  readonly open: () => Promise<Storage>
  /** What a writer of the database does who goes round the triggers. */
  readonly force: (sql: string) => Promise<void>
}

const sqlite = async (): Promise<Subject> => {
  const file = path('trail.db')
  return {
    database: file,
    open: () => openSqlite({ file }),
    force: async (sql) => {
      const driver = new Database(file)
      driver.exec(`drop trigger audit_entries_are_fixed; ${sql}`)
      driver.close()
    },
  }
}

const postgres = async (): Promise<Subject> => {
  const connectionString = await server.database('erasure')
  await (await openPostgresSchema({ connectionString })).up()
  return {
    database: connectionString,
    open: () => openPostgres({ connectionString }),
    force: async (sql) => {
      const client = new pg.Client({ connectionString })
      await client.connect()
      await client.query(`alter table audit_entries disable trigger user; ${sql}`).finally(() => client.end())
    },
  }
}

describe.each([
  ['SQLite', sqlite],
  ['PostgreSQL', postgres],
] as const)('an erasure on %s', (_, create) => {
  let subject: Subject
  const checkpoint = async (append: number): Promise<void> => {
    const storage = await subject.open()
    const ring = await readKeyRing(path('keys'))
    const size = await storage.audit.size()
    const drafts = Array.from({ length: append }, (__, index) => ({ draft: draftOf(size + index + 1) }))
    if (append > 0) await storage.audit.append(() => drafts, seal)
    await makeCheckpoint({
      storage,
      signer: () => signerFor(ring, 'audit'),
      keys: () => verificationKeys(ring, 'audit', Date.now()),
      clock: Date.now,
      newId: () => `ckp_${size}`,
    })
    await storage.close()
  }
  const erase = (entries: string, reason = 'request DSR-2041') =>
    svc('audit', 'erase', '--database', subject.database, '--entries', entries, '--reason', reason)
  const exported = () =>
    svc('audit', 'export', '--database', subject.database, '--keys', path('keys'), '--service', 'flights', '--out', path('trail.ndjson')) // prettier-ignore
  const verified = () => svc('audit', 'verify', path('trail.ndjson'), ...origin)

  beforeAll(async () => {
    subject = await create()
    await checkpoint(6)
  }, 60_000)

  it('by the owner of the schema says which and why, and verifies when a checkpoint covers it', async () => {
    const { code, err } = await erase('2,4-5')
    expect({ code, err }).toMatchObject({ code: 0, err: expect.stringContaining('content of 3 entries (2, 4-5)') })
    expect(await exported()).toMatchObject({ code: 1, err: expect.stringContaining('waits for the next checkpoint') })
    await checkpoint(1)
    expect(await exported()).toMatchObject({ code: 0 })
    expect(await verified()).toMatchObject({ code: 0, out: expect.stringMatching(/erased +the content of 3/u) })
  })

  it('is refused for what is not there, erased, or an erasure, and erases nothing then', async () => {
    for (const [entries, why] of [
      ['99', 'There is no entry 99.'],
      ['1,2', 'The content of entry 2 is erased already.'],
      ['7', 'Entry 7 is an erasure'],
      ['5-4', 'must be sequences and ranges'],
      ['0', 'must be sequences and ranges'],
      ['1-99999', 'more than 10000 entries'],
    ] as const)
      expect(await erase(entries)).toMatchObject({ code: 2, err: expect.stringContaining(why) })
    expect(await erase('1', ' ')).toMatchObject({ code: 2, err: expect.stringContaining('--reason must say why') })
  })

  it('of entries with one digit and with two says them in one range', async () => {
    await checkpoint(4)
    expect(await erase('11,9-10')).toMatchObject({
      code: 0,
      err: expect.stringContaining('content of 3 entries (9-11)'),
    })
  })

  it('N07, H5: that no entry accounts for is exported as it is, and fails', async () => {
    await subject.force('update audit_entries set text = null where sequence in (1, 3)')
    await checkpoint(1)
    expect(await exported()).toMatchObject({ code: 0 })
    const { code, out } = await verified()
    expect(code).toBe(1)
    expect(out).toContain('The content of entry 1 was erased, and no entry accounts for it.')
    expect(out).toMatch(/first bad +sequence 1\n/u)
  })
})

it('N07: the role that serves cannot erase before the time on PostgreSQL', async () => {
  const owner = await server.database('erasure_roles')
  await (await openPostgresSchema({ connectionString: owner })).up()
  const client = new pg.Client({ connectionString: owner })
  await client.connect()
  await client.query(`create role svc_server login password 'x';
    grant select, insert, update, delete on all tables in schema public to svc_server;
    revoke delete, truncate on audit_entries, audit_index from svc_server`)
  await client.end()
  const role = new URL(owner)
  role.username = 'svc_server'
  role.password = 'x'
  const storage = await openPostgres({ connectionString: role.href })
  await storage.audit.append(() => [{ draft: draftOf(1) }], (draft, sequence) => ({ ...seal(draft, sequence), erasableFrom: undefined })) // prettier-ignore
  await storage.close()
  const erased = await svc('audit', 'erase', '--database', role.href, '--entries', '1', '--reason', 'x')
  expect(erased).toMatchObject({ code: 2, err: expect.stringContaining('does not own the schema') })
  const served = new pg.Client({ connectionString: role.href })
  await served.connect()
  for (const sql of [
    'update audit_entries set text = null',
    'update audit_index set root_principal = null',
    'truncate audit_entries',
    'delete from audit_index',
    'alter table audit_entries disable trigger user',
  ])
    await expect(served.query(sql), sql).rejects.toThrow(/append-only|permission denied|must be owner/u)
  await served.end()
})

it.each([
  ['nothing that was not erased', [], [], []],
  ['one that an erasure names', [5], [[5, 5]], []],
  ['one that none names', [5], [[4, 4], [6, 9]], [[5, 5]]], // prettier-ignore
  ['what stands between', [1, 2, 3, 4, 5, 6], [[2, 2], [5, 5]], [[1, 1], [3, 4], [6, 6]]], // prettier-ignore
  ['several that overlap', [1, 2, 3, 9], [[1, 2], [1, 1], [2, 3]], [[9, 9]]], // prettier-ignore
] as const)('of what has no content, %s is accounted for', (_, erased, ranges, left) => {
  const watched = coverage()
  for (const sequence of erased) watched.isErased(sequence)
  for (const [from, to] of ranges)
    watched.accounts({ entry_type: 'erasure', sequence: 100, erased: { ranges: [[from, to]], count: to - from + 1 } })
  expect(watched.uncovered()).toEqual(left)
})

it.each([
  undefined, null, {}, { ranges: [], count: 0 }, { ranges: [[1, 2]], count: 1 }, { ranges: [[2, 1]], count: 0 },
  { ranges: [[1, 1], [2, 2]], count: 2 }, { ranges: [[3, 3], [1, 1]], count: 2 }, { ranges: [[1]], count: 1 },
  { ranges: [['1', '1']], count: 1 }, { ranges: [[0, 1]], count: 2 }, { ranges: [[7, 7]], count: 1 }, { ranges: 1, count: 1 },
])('%j accounts for nothing', (erased) => {
  const watched = coverage()
  watched.isErased(1)
  expect(watched.accounts({ entry_type: 'erasure', sequence: 7, erased: erased as never })).toBe(false)
  expect(watched.uncovered()).toEqual([[1, 1]])
}) // prettier-ignore

it('an older schema is brought up to date first', async () => {
  const driver = new Database(path('older.db'))
  driver.exec('create table other (a)')
  driver.close()
  const { code, err } = await svc('audit', 'erase', '--entries', '1', '--reason', 'x', '--database', path('older.db'))
  expect([code, err]).toEqual([2, expect.stringContaining('older.db is older. Run first: svc migrate up')])
})
