/** A database of the version before rows carried a MAC (`fixture/make-v15.ts`): it loses nothing, on both stores. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import Database from 'libsql'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sha256Hex } from '../../../src/crypto/json/digest.js'
import type { RingKey } from '../../../src/crypto/keys/key-ring.js'
import { generateSecret, ringSecretsAt, withEarlierRows } from '../../../src/crypto/keys/secret-key.js'
import type { Storage } from '../../../src/runtime/storage/contract.js'
import { openPostgres } from '../../../src/runtime/storage/postgres/index.js'
import { openSqlite } from '../../../src/runtime/storage/sqlite/index.js'
import { statementsFor } from '../../../src/runtime/storage/sql/schema/migration.js'
import { MIGRATIONS } from '../../../src/runtime/storage/sql/schema/index.js'
import { capability, input } from '../fixture/manifest.js'
import { KEYS, startFixture } from '../fixture/service.js'
import { startPostgres, type PostgresServer } from './postgres-server.js'

interface Asked {
  readonly id: string
  readonly token: string
}

/** What the earlier service answered. */
interface Facts {
  readonly keys: readonly Pick<RingKey, 'kid' | 'role' | 'publicJwk'>[]
  readonly pending: Asked
  readonly granted: Asked & { readonly grant: string }
  readonly several: Asked
  readonly denied: Asked
  readonly budget: string
  readonly revoked: string
  readonly live: string
  readonly invocation: string
}

const fixture = (name: string) => readFileSync(join(import.meta.dirname, 'fixture', name))
const FACTS = JSON.parse(fixture('v15.json').toString()) as Facts
/** Everything in it lasts for 50 years, by the clock of whichever server. */
const YEARS_S = 50 * 365 * 24 * 3600
const grant_policy = { allowed_grant_types: ['one_time'], default_grant_type: 'one_time', expires_in_seconds: YEARS_S, max_uses: 1 } as const // prettier-ignore
const gated = (approvers: object) =>
  capability({
    inputs: [{ ...input('amount'), type: 'integer' }],
    side_effect: { type: 'irreversible' },
    approval: { required: 'always', grant_policy, ...approvers },
  })
const GIVEN = {
  capabilities: {
    search: capability(),
    look: capability(),
    act: capability({ cost: { certainty: 'fixed', financial: { currency: 'EUR', amount: 5 } }, side_effect: { type: 'write' } }),
    book: gated({}),
    trip: gated({ approvers: 2 }),
  },
  manifest: {
    limits: { max_delegation_depth: 3, default_ttl_hours: YEARS_S / 3600, max_ttl_hours: YEARS_S / 3600 },
    approvals: { request_ttl: 'P18250D', denial_holds: 'P18250D', allow_agents: false, separation_of_duties: true },
  },
  limits: { idempotencyMs: YEARS_S * 1000 },
} as const // prettier-ignore

let server: PostgresServer
let folder = ''
let made = 0
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-earlier-'))
  server = await startPostgres(['fsync=off'])
}, 60_000)
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true })
})

function sqliteFile(): string {
  const file = join(folder, `${++made}.db`)
  writeFileSync(file, gunzipSync(fixture('v15.db.gz')))
  return file
}

const sqlite = async () => {
  const file = sqliteFile()
  return { open: () => openSqlite({ file }), force: async (sql: string) => inFile(file, (driver) => driver.exec(sql)) }
}

function inFile<Result>(file: string, work: (driver: Database.Database) => Result): Result {
  const driver = new Database(file)
  try {
    return work(driver)
  } finally {
    driver.close()
  }
}

/** The same rows, in a database of PostgreSQL with the schema of that version. */
const postgres = async () => {
  const connectionString = await server.database(`earlier_${++made}`)
  const force = async (...statements: readonly (string | pg.QueryConfig)[]) => {
    const client = new pg.Client({ connectionString })
    await client.connect()
    for (const each of statements) await client.query(each)
    await client.end()
  }
  const earlier = MIGRATIONS.filter(({ version }) => version <= 15)
  await force('create table schema_migrations (version bigint primary key, name text not null, checksum text not null, applied_at bigint not null)') // prettier-ignore
  await force(...earlier.flatMap((each) => statementsFor(each, 'postgres')))
  await force(...['audit_head', 'readiness', 'invocation_blocks'].map((table) => `delete from ${table}`))
  await force(...inFile(sqliteFile(), rowsOf), ...earlier.map((each) => ({ text: 'update schema_migrations set checksum = $1 where version = $2', values: [sha256Hex(statementsFor(each, 'postgres').join(';\n')), each.version] }))) // prettier-ignore
  return { open: () => openPostgres({ connectionString, schema: 'migrate' }), force: (sql: string) => force(sql) }
}

/** Statements that insert all rows of a file. */
function rowsOf(driver: Database.Database): readonly pg.QueryConfig[] {
  const read = (sql: string) => driver.prepare(sql).all() as { readonly [column: string]: unknown }[]
  const tables = read(`select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by rootpage`)
  const statements = tables.flatMap(({ name }) => {
    const columns = read(`select name from pragma_table_info('${String(name)}')`).map((each) => String(each['name']))
    return read(`select ${columns.join(', ')} from ${String(name)}`).map((row) => ({
      text: `insert into ${String(name)} (${columns.join(', ')}) overriding system value values (${columns.map((_, index) => `$${index + 1}`).join(', ')}) on conflict do nothing`,
      values: columns.map((column) => bound(row[column])),
    }))
  })
  return statements.toSorted((one, other) => Number(isBelow(one)) - Number(isBelow(other)))
} // prettier-ignore

/** A value as the driver of PostgreSQL takes it. */
const bound = (value: unknown): unknown =>
  value instanceof ArrayBuffer || value instanceof Uint8Array ? Buffer.from(value as Uint8Array) : value

/** Grants refer to requests. */
const isBelow = ({ text }: pg.QueryConfig): boolean => text.startsWith('insert into approval_grants')

/** Keys that verify what the earlier service signed, and a key of rows that is younger than the trail. */
const RING = {
  keys: [...KEYS.keys, ...FACTS.keys.map((key) => ({ ...key, state: 'retired' as const }))],
  secrets: ringSecretsAt([withEarlierRows(generateSecret('rows', Date.now()))], Date.now()),
}

describe.each([
  ['SQLite', sqlite],
  ['PostgreSQL', postgres],
] as const)('a database of schema 15 on %s', (_, create) => {
  let database: Awaited<ReturnType<typeof create>>
  let storage: Storage
  const effects: string[] = []
  const effect = (name: string) => ({ amount }: { amount?: number }) => (effects.push(`${name} ${amount}`), {}) // prettier-ignore
  const handlers = { book: effect('book'), trip: effect('trip') } as never
  const open = async () => {
    storage = await database.open()
    return startFixture({ ...GIVEN, handlers, storage, clock: Date.now, keys: RING })
  }
  let on: Awaited<ReturnType<typeof open>>
  beforeAll(async () => {
    database = await create()
    on = await open()
  }, 60_000)
  afterAll(() => storage.close())
  const approve = async (id: string, by = 'bob-key') =>
    (await on.post('/svc/approval_grants', by, { approval_request_id: id })).status

  it('takes none of its rows for altered, and records what it authenticated', async () => {
    expect((await on.call('GET', '/-/ready')).body['alarms']).not.toContain('rows_altered')
    const [entry] = await on.storage.audit.query({ capability: 'svc:rows', limit: 9 })
    expect(entry?.operated?.target).toEqual({
      service_id: 'flights', connections: '0', console_sessions: '1', approval_requests: '4', approvals_given: '1', bindings: '1', event_deliveries: '0',
      idempotency: '1', secrets: '1', blocks: '1', paused_capabilities: '1', accounts: '2', resolutions: '0', decisions: '2',
    })
  }) // prettier-ignore

  it('has its pending request, its grant and its denial', async () => {
    const { pending, granted, denied } = FACTS
    expect(await approve(pending.id)).toBe(200)
    const goes = (asked: Asked, amount: number, more: object) =>
      on.invoke('book', asked.token, { parameters: { amount }, ...more })
    expect((await goes(pending, 1, { approval: 'continue' })).status).toBe(200)
    expect((await goes(granted, 2, { approval_grant: granted.grant })).status).toBe(200)
    expect((await goes(denied, 4, {})).body['failure']).toMatchObject({ approval_request_id: denied.id, decision: { reason: 'No.' } }) // prettier-ignore
    expect(effects).toEqual(['book 1', 'book 2'])
  })

  it('has one approval of two', async () => {
    expect((await on.call('GET', `/svc/approval_requests/${FACTS.several.id}`, { bearer: 'bob-key' })).body).toMatchObject({ approvals: 1 }) // prettier-ignore
    expect(await approve(FACTS.several.id)).toBe(403)
  })

  it('has its block and its pause', async () => {
    expect((await on.post('/svc/tokens', 'eve-key', { scope: ['travel.search'] })).status).toBe(403)
    expect((await on.invoke('search', FACTS.live)).status).toBe(503)
  })

  it('has what a budget has spent, and what was revoked', async () => {
    expect((await on.invoke('act', FACTS.budget)).body['failure']).toMatchObject({ type: 'budget_exceeded' })
    expect((await on.invoke('look', FACTS.revoked)).status).toBe(401)
  })

  it('has its price, its secret, its names and the answer by its key', async () => {
    expect(await on.storage.bindings.get('bnd_1')).toMatchObject({ price: { amount: 90 } })
    expect(await on.storage.secret('shared', 'mine')).toBe('first')
    expect((await on.storage.accounts.namesOf(['oidc:7'])).toSorted()).toEqual(['human:ana', 'oidc:7'])
    const { body } = await on.invoke('look', FACTS.live, { parameters: {} }, { 'idempotency-key': 'k1' })
    expect(body['invocation_id']).toBe(FACTS.invocation)
  })

  it('has ended the sessions of its console', async () => {
    expect(await on.storage.sessions.look('b'.repeat(64))).toBeUndefined()
  })

  it('is authenticated once', async () => {
    const names = async () => (await on.storage.audit.newest(undefined, 100)).flatMap(({ operated }) => operated?.name ?? []) // prettier-ignore
    expect((await names()).toSorted()).toEqual(['capability_paused', 'rows_authenticated', 'tokens_revoked'])
    await on.service.close()
    await storage.close()
    await database.force('update approval_requests set decided_mac = null')
    await database.force('delete from blocks')
    on = await open()
    expect((await names()).filter((name) => name === 'rows_authenticated')).toHaveLength(1)
    expect((await on.call('GET', '/-/ready')).body['alarms']).toContain('rows_altered')
    expect((await on.post('/svc/tokens', 'eve-key', { scope: ['travel.search'] })).status).toBe(403)
  })
})
