import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import pg from 'pg'
import type { Storage } from '../../../src/runtime/storage/contract.js'
import { openPostgres } from '../../../src/runtime/storage/postgres/index.js'
import { openLibsql } from '../../../src/runtime/storage/sqlite/libsql.js'
import { openSqlite } from '../../../src/runtime/storage/sqlite/index.js'
import { atMost, fresh, grantFor, decision, request, token } from './examples.js'
import { startPostgres } from './postgres-server.js'

const TABLES = [
  'approval_grants',
  'approval_requesters',
  'approval_requests',
  'bindings',
  'console_sessions',
  'event_deliveries',
  'holds',
  'idempotency',
  'leases',
  'ledger',
  'rates',
  'tokens',
]
const EVENT = { type: 'alarm.raised', subject: 'x', body: '{}' } as const
const WEEK = 7 * 24 * 3_600_000
/** More than two batches, so that one that stopped after a batch would leave rows. */
const MANY = 1_201

interface Subject {
  readonly storage: Storage
  rowsOf(table: string): Promise<number>
  /** Lets all the time pass that the rates need. */
  fillRates(): Promise<unknown>
  close(): Promise<void>
}

async function sqlite(): Promise<Subject> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-sweep-'))
  const file = join(folder, 'service.db')
  const storage = await openSqlite({ file, driver: 'libsql' })
  const driver = openLibsql(file)
  return {
    storage,
    fillRates: async () => driver.prepare('update rates set full_at = 0').run([]),
    rowsOf: async (table) => Number(driver.prepare(`select count(*) as n from ${table}`).first([])?.['n']),
    close: async () => {
      driver.close()
      await storage.close()
      await rm(folder, { recursive: true })
    },
  }
}

async function postgres(): Promise<Subject> {
  const server = await startPostgres(['fsync=off'])
  const connectionString = await server.database('sweep')
  const storage = await openPostgres({ connectionString, schema: 'migrate' })
  const client = new pg.Client({ connectionString })
  await client.connect()
  return {
    storage,
    fillRates: () => client.query('update rates set full_at = 0'),
    rowsOf: async (table) => Number((await client.query(`select count(*) as n from ${table}`)).rows[0].n),
    close: async () => {
      await client.end()
      await storage.close()
      await server.stop()
    },
  }
}

/** A row of every kind that expires, which expires at a time. */
async function one(storage: Storage, expiresAt: number): Promise<void> {
  const now = await storage.now()
  const id = fresh('tok_')
  const { claims } = token(id)
  await storage.tokens.insert({ claims: { ...claims, exp: Math.floor(expiresAt / 1000) }, depth: 0 })
  await storage.ledger.reserve(fresh('hold'), [{ tokenId: id, maxUnits: 5n }], 5n)
  await storage.bindings.insert({
    binding_id: fresh('bnd_'),
    type: 'quote',
    capability: 'quote',
    root_principal: 'human:a',
    issued_at: now,
    expires_at: expiresAt,
  })
  await storage.idempotency.start({ subject: 'agent:a', capability: 'c', key: fresh('k') }, 'd', 'inv-1', expiresAt)
  await storage.leases.acquire(fresh('l'), 'o', expiresAt - now)
  await storage.rates.take(fresh('r'), 1, 600)
  await storage.sessions.begin({ hash: fresh('h'), principal: 'human:a', credential: { api_key: 'k' }, scopes: [] }, expiresAt - now, 1) // prettier-ignore
  await storage.outbox.add([{ ...EVENT, id: fresh('event'), targets: ['ops'] }])
  const asked = await request(storage, fresh('who'), expiresAt - now)
  await storage.approvals.open(asked, atMost(5))
  await storage.approvals.approve(await grantFor(storage, asked, expiresAt - now), decision)
  await storage.approvals.open(await request(storage, fresh('who'), expiresAt - now), atMost(5))
}

describe.each([
  ['SQLite', sqlite],
  ['PostgreSQL', postgres],
] as const)('the sweep on %s', (_, open) => {
  let subject: Subject
  beforeAll(async () => {
    subject = await open()
  }, 60_000)
  afterAll(() => subject.close())

  const counts = async (): Promise<object> => {
    const counted: { [table: string]: number } = {}
    for (const table of TABLES) counted[table] = await subject.rowsOf(table)
    return counted
  }
  const each = (rows: number): object => Object.fromEntries(TABLES.map((table) => [table, rows]))

  it('leaves nothing of what expired a week ago, pending requests and requesters included, and all else', async () => {
    const { storage } = subject
    const now = await storage.now()
    await Promise.all(Array.from({ length: MANY }, () => one(storage, now + 60_000)))
    await storage.sweep(now + WEEK)
    expect(await counts()).toEqual({ ...each(MANY), approval_requests: 2 * MANY, approval_requesters: 2 * MANY })
    await one(storage, now + 3_600_000)
    await subject.fillRates()
    await one(storage, now + 3_600_000)
    await storage.sweep(now + WEEK + 120_000)
    // A requester goes a week after it asked last, a rate when its bucket is full, an event never while it waits.
    expect(await counts()).toEqual({ ...each(2), approval_requests: 4, approval_requesters: 0, rates: 1, event_deliveries: MANY + 2 }) // prettier-ignore
  }, 120_000)

  it('leaves an event for a week after it was delivered, and for 30 days after it was given up', async () => {
    const { storage, rowsOf } = subject
    const [{ sequence } = { sequence: 0 }] = await storage.outbox.due('ops', 1)
    await storage.outbox.settle([{ sequence, ok: true }])
    const now = await storage.now()
    const left = async (days: number) => {
      await storage.sweep(now + days * 24 * 3_600_000)
      return rowsOf('event_deliveries')
    }
    expect([await left(6.9), await left(7.1)]).toEqual([MANY + 2, MANY + 1])
    await storage.outbox.giveUp({ target: 'ops', mostMs: 0, most: 0 })
    expect([await left(29.9), await left(30.1)]).toEqual([MANY + 1, 0])
  }, 120_000)
})
