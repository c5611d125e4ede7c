import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import pg from 'pg'
import { sealEntry, sealFor } from '../../../src/runtime/storage/seal.js'
import type { EntryFilter, Storage } from '../../../src/runtime/storage/contract.js'
import { openPostgres, openPostgresPartitions } from '../../../src/runtime/storage/postgres/index.js'
import { queryOf } from '../../../src/runtime/storage/postgres/statements.js'
import type { Engine, StoragePlan, Rows, Statement } from '../../../src/runtime/storage/sql/plan.js'
import { storageOver } from '../../../src/runtime/storage/sql/storage.js'
import { schemaTool } from '../../../src/runtime/storage/sql/schema-tool.js'
import { openConnection } from '../../../src/runtime/storage/sqlite/connection.js'
import { sqliteEngine } from '../../../src/runtime/storage/sqlite/engine.js'
import { openLibsql } from '../../../src/runtime/storage/sqlite/libsql.js'
import { atMost, decision, draft, grantFor, request, token } from './examples.js'
import { startPostgres, type PostgresServer } from './postgres-server.js'

const RECORDED = {
  engine: 'sqlite',
  recorded: `select 1 from sqlite_master where name = 'schema_migrations'`,
  encoding: 'select encoding from pragma_encoding',
} as const

async function doAsOperator({ operators }: Storage): Promise<void> {
  const block = { block_id: 'blk_1', kind: 'api_key', value: 'k', reason: 'r', created_by: 'human:o', created_at: '2030-01-01T00:00:00Z' } as const
  for (const filter of [{}, { principal: 'p' }, { subject: 's' }, { api_key: 'k' }, { capability: 'c' }])
    for (const page of [{}, { after: 'tok_1' }]) await operators.tokens({ ...filter, ...page, limit: 5 })
  for (const target of ['principal', 'subject', 'api_key', 'capability', 'token_id'] as const) await operators.endTokens(target, ['x'], 1)
  await operators.buyingApiKeys(1)
  await operators.block(block)
  await operators.blockOf({ principal: 'human:o', apiKey: 'k', subject: 'agent:a' })
  await operators.blocks(5)
  await operators.lift('blk_1', 'human:o', 1)
  await operators.pause({ capability: 'c', reason: 'r', paused_by: 'human:o', paused_at: '2030-01-01T00:00:00Z' })
  await operators.paused()
  await operators.resume('c')
} // prettier-ignore

async function doWithConnections({ connections }: Storage): Promise<void> {
  const one = { connection_id: 'con_1', person: 'human:a', upstream: 'mail', revision: 1, scopes: [], issuer: 'i', connected_at: 1 } as const
  await connections.put(one)
  await connections.get('con_1')
  await connections.of('human:a', 'mail')
  for (const filter of [{}, { person: 'human:a' }, { upstream: 'mail' }] as const) await connections.list({ ...filter, limit: 5 })
  await connections.beginRenewal('con_1', 1, 'p')
  await connections.abandonRenewal('con_1', 'p')
  await connections.endRenewal({ ...one, revision: 2 }, 'p')
  await connections.reencrypt({ ...one, revision: 3 })
  await connections.want('con_1', ['a'])
  await connections.used('con_1', 'agent:a', 1)
  await connections.end(one, 'interrupted', 5)
  await connections.end(one, 'disconnected')
} // prettier-ignore

async function doWithEvents({ outbox }: Storage): Promise<void> {
  const event = { id: 'e', type: 'alarm.raised', subject: 's', body: '{}', targets: ['ops'] } as const
  await outbox.add([event])
  for (const { sequence } of await outbox.due('ops', 5)) {
    await outbox.settle([{ sequence, ok: false, error: 'status 500', againInMs: 5 }])
    await outbox.settle([{ sequence, ok: true }])
  }
  await outbox.hasten('ops')
  await outbox.giveUp({ target: 'ops', mostMs: 5, most: 5 })
  await outbox.resend('e', 'ops')
  await outbox.noteExpiries('approval.expiring', 5, 5, () => event)
  await outbox.noteExpiries('approval.expired', 0, 5, () => event)
  for (const filter of [{}, { state: 'dead' }, { type: 'alarm.raised' }, { target: 'ops' }] as const)
    await outbox.list({ ...filter, before: 5, limit: 5 })
}

/** What a server alone is told: all intents of a moment in one statement. */
async function intentsAsOne(engine: Engine): Promise<Statement> {
  let told: Statement | undefined
  const writeSingly: Engine['writeSingly'] = (plan) => {
    const { value } = plan().next()
    told = value as Statement
    return Promise.reject(new Error('Only listened to.'))
  }
  const intent = { invocation_id: 'inv-2', owner: 'p', draft: draft(), started_at: 1 }
  await storageOver({ ...engine, isShared: true, writeSingly })
    .intents.record(intent)
    .catch(() => undefined)
  return told!
}

/** Every verb of the contract, with every filter by itself and all of them together. */
async function doEverything(storage: Storage): Promise<void> {
  const asked = await request(storage, 'plans', 60_000)
  const key = { subject: 'agent:a', capability: 'c', key: 'k' } as const
  const intent = { invocation_id: 'inv-1', owner: 'p', draft: draft(), started_at: 1 }
  await storage.tokens.insert(token('tok_r'))
  await storage.tokens.insert(token('tok_c', 1, 'tok_r'))
  await storage.tokens.chain('tok_c')
  await storage.tokens.revoke('tok_r', 1)
  await storage.accounts.remember({ issuer: 'i', subject: 's' }, 'human:a')
  await storage.accounts.namesOf(['human:a', 'human:b'])
  await storage.sessions.begin({ hash: 'h', principal: 'human:a', credential: { api_key: 'k' } }, 5, 5)
  await storage.sessions.look('h')
  await storage.sessions.touch('h', 5)
  await storage.sessions.end('h')
  await storage.sessions.endAll({ principal: 'human:a' })
  await storage.sessions.endAll({ api_key: 'k' })
  await doWithConnections(storage)
  await storage.approvals.open(asked, atMost(5))
  await storage.approvals.open({ ...asked, approval_request_id: 'apr_other' }, atMost(5))
  await storage.approvals.approve(await grantFor(storage, asked, 60_000), decision)
  await storage.approvals.deny('apr_x', decision)
  await storage.approvals.spend('grt_x', 'inv-000000000001')
  await storage.approvals.grant('grt_x')
  await storage.approvals.get('apr_x')
  await storage.approvals.history(asked)
  await storage.approvals.revokeGrant('grt_x')
  for (const status of ['pending', 'approved', 'denied', 'expired'] as const) {
    await storage.approvals.list({ status, rootPrincipal: 'human:a', limit: 5 })
    await storage.approvals.list({
      status,
      capabilities: ['a', 'b'],
      rootPrincipal: 'human:a',
      after: 'apr_x',
      limit: 5,
    })
  }
  await storage.leases.acquire('k', 'o', 5)
  await storage.leases.renew('k', 'o', 5)
  await storage.leases.release('k', 'o')
  await storage.rates.take('r', 1, 1)
  await storage.rates.take('r', 1, 1)
  await storage.ledger.reserve('h', [{ tokenId: 'tok_r', maxUnits: 5n }], 6n)
  await storage.ledger.reserve('h', [{ tokenId: 'tok_r', maxUnits: 5n }], 5n)
  await storage.allowances.tokens(['tok_r', 'tok_c', 'tok_x'])
  await storage.allowances.grants(['grt_x'])
  await storage.allowances.endToken('tok_r', 5)
  await storage.allowances.endGrant('grt_x')
  await storage.bindings.get('bnd_x')
  await storage.idempotency.start(key, 'd', 'inv-1', (await storage.now()) + 60_000)
  await storage.idempotency.start(key, 'd', 'inv-2', (await storage.now()) + 60_000)
  await storage.intents.record({ ...intent, idempotency: key })
  await storage.intents.orphans(5)
  const answer = { key, invocationId: 'inv-1', status: 200, body: '{}' }
  const settlement = {
    draft: intent.draft,
    closesIntent: 'inv-1',
    hold: { holdId: 'h', units: 1n, ceilings: 1 },
    answer,
  }
  await storage.audit.append(() => [settlement, { draft: draft() }], sealEntry)
  await storage.idempotency.abandon(key, 'inv-1')
  await storage.idempotency.retract(key, 'inv-1')
  for (const filter of FILTERS) await storage.audit.query(filter)
  for (const filter of FILTERS) await storage.audit.reach(filter, 2)
  await storage.audit.newest(undefined, 5)
  await doAsOperator(storage)
  await doWithEvents(storage)
  await storage.audit.texts(1, 5)
  await storage.audit.sequenceOf('inv-1')
  await storage.audit.size()
  await storage.audit.firstSince(1)
  await storage.audit.indexed(1, 5)
  await storage.audit.nodes([{ level: 0, index: 0 }])
  const account = { draft: () => draft({ entry_type: 'erasure', invocation_id: null }), seal: sealEntry }
  await storage.audit.append(
    () => [{ draft: draft({ invocation_id: 'inv-due' }) }],
    sealFor(() => 0),
  )
  expect(await storage.audit.erase({ due: await storage.now(), limit: 5, account })).toBe(1)
  await storage.checkpoints.latest()
  await storage.checkpoints.get('ckp_x')
  await storage.sweep((await storage.now()) + 1e11)
  await storage.clock.confirm(1)
  await storage.clock.doubt({ vouched: 1, waited: 1 })
  await storage.clock.state()
  await storage.ready()
}

const ROOT = { rootPrincipal: 'human:a', limit: 5 }
const PARTS: readonly Partial<EntryFilter>[] = [
  { capability: 'c' },
  { invocation_id: 'i' },
  { client_reference_id: 'r' },
  { task_id: 't' },
  { parent_invocation_id: 'p' },
  { approval_request_id: 'a' },
  { event_class: 'low_risk_success' },
  { success: true },
  { since: '2026-01-01T00:00:00.000Z' },
  { until: '2026-01-01T00:00:00.000Z' },
  { beforeSequence: 9 },
  { downToSequence: 3 },
]
const FILTERS: readonly EntryFilter[] = [
  ROOT,
  ...PARTS.map((part) => ({ ...ROOT, ...part })),
  Object.assign({}, ROOT, ...PARTS),
]

/** An engine that writes down what it is asked. */
function recording(engine: Engine, asked: Map<string, Statement>): Engine {
  const listen =
    <T>(plan: () => StoragePlan<T>) =>
    (): StoragePlan<T> =>
      overhear(plan(), asked)
  return {
    isShared: engine.isShared,
    write: (plan) => engine.write(listen(plan)),
    writeSingly: (plan) => engine.writeSingly(listen(plan)),
    probe: (plan) => engine.probe(listen(plan)),
    isTaken: (error, index) => engine.isTaken(error, index),
    read: (plan) => engine.read(listen(plan)),
    search: (plan) => engine.search(listen(plan)),
    close: () => engine.close(),
  }
}

function* overhear<T>(plan: StoragePlan<T>, asked: Map<string, Statement>): StoragePlan<T> {
  let step = plan.next()
  while (step.done !== true) {
    asked.set(step.value.sql, step.value)
    const rows: Rows = yield step.value
    step = plan.next(rows)
  }
  return step.value
}

/**
 * The table whose index is read without a condition; of checkpoints, whose newest are asked for, only the last rows
 * are.
 */
function wholeIndex(line: string, next = ''): string | undefined {
  if (next.includes('Index Cond') || line.includes('Backward using checkpoints_pkey')) return undefined
  return /(?:Index|Index Only) Scan(?: Backward)? (?:using \w+ )?on (\w+)/u.exec(line)?.[1]
}

/** So many rows that a plan shows what it would be for millions, and the statistics of them. */
const FILLED = [
  `insert into tokens select 't' || n, case when n % 2 = 0 then 't' || n / 2 end, 0, '{}', n, null from generate_series(1, 20000) n`,
  `insert into accounts select 'i' || n % 3, 's' || n, 'p' || n from generate_series(1, 20000) n`,
  `insert into approval_requests
    select 'a' || n, 'c' || n % 50, 's' || n, 'r' || n, 'd' || n, '{}', n, n, case when n % 2 = 0 then 'pending' else 'approved' end
    from generate_series(1, 20000) n`,
  `insert into approval_grants select 'g' || n, 'a' || n, '{}', 1, 0, n from generate_series(1, 20000) n`,
  `insert into approval_requesters select 's' || n, 'r' || n, 1, n from generate_series(1, 20000) n`,
  `insert into rates select 'r' || n, 1, n, 1, n from generate_series(1, 20000) n`,
  `insert into leases select 'l' || n, 'o', n from generate_series(1, 20000) n`,
  `insert into intents select 'i' || n, 'owner' || n % 20, '{}', n from generate_series(1, 20000) n`,
  `insert into idempotency select 's' || n, 'c', 'k', 'd', 'i' || n, n, n, 200, '{}' from generate_series(1, 20000) n`,
  `insert into bindings select 'b' || n, '{}', n from generate_series(1, 20000) n`,
  `insert into ledger select 't' || n, 5 from generate_series(1, 20000) n`,
  `insert into holds select 'h' || n, 't' || n, 0, 5 from generate_series(1, 20000) n`,
  `insert into audit_entries select n, '{}', '' from generate_series(1, 20000) n`,
  `insert into audit_index
    select n, 'i' || n, n, 'r' || n % 50, 'c' || n % 20, 'low_risk_success', n % 2, 'ref' || n, 'task' || n, 'p' || n, 'a' || n
    from generate_series(1, 20000) n`,
  `insert into event_deliveries (event_id, target, type, subject, body, state, attempts, queued_at, due_at, expires_at)
    select 'e' || n, 't' || n % 3, 'y', 's' || n, '{}', case when n % 5 = 0 then 'pending' else 'delivered' end, 0, n, n, case when n % 5 = 0 then null else n end
    from generate_series(1, 20000) n`,
  `insert into console_sessions select 'h' || n, 'p' || n, 'k' || n, '{}', '{}', n, n, n from generate_series(1, 20000) n`,
  'update audit_head set size = 20000',
  'analyze',
]

describe('no statement reads a whole table', () => {
  const asked = new Map<string, Statement>()
  const driver = openLibsql(':memory:')
  const engine = sqliteEngine(openConnection(driver, Date.now))
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres(['fsync=off'])
    await schemaTool(engine, RECORDED).up()
    await doEverything(storageOver(recording(engine, asked)))
  }, 60_000)
  afterAll(async () => {
    await engine.close()
    await server.stop()
  })

  /**
   * Tables of one row, or of as many as there are processes, leave no choice. `chain`, `tree`, `names`, `listed`, `newest`,
   * `owners`, `gone`, `buyers` and `given` are made by the statement itself.
   */
  const SMALL = [
    'chain',
    'tree',
    'names',
    'listed',
    'last',
    'newest',
    'owners',
    'gone',
    'buyers',
    'given',
    'paused_capabilities',
    'c',
  ]

  it('on SQLite', () => {
    const scans: string[] = []
    for (const { sql } of asked.values()) {
      const plan = driver.prepare(`explain query plan ${sql.replace(/:now\b/gu, '0').replace(/:lock\b/gu, '')}`).all([])
      for (const { detail } of plan) {
        const scanned = /^SCAN (?!.*CONSTANT)(\w+)/u.exec(String(detail))?.[1]
        const usesIndex = String(detail).includes('USING')
        if (scanned !== undefined && !usesIndex && !SMALL.includes(scanned)) scans.push(`${String(detail)}: ${sql}`)
      }
    }
    expect(asked.size).toBeGreaterThan(60)
    expect(scans).toEqual([])
  })

  const partition = async (connectionString: string): Promise<void> => {
    const partitions = await openPostgresPartitions({ connectionString })
    await partitions.extend(7000).finally(() => partitions.close())
  }

  it.each([
    ['on PostgreSQL', () => Promise.resolve()],
    ['on PostgreSQL, with the entries in partitions, full ones and empty ones', partition],
  ])('%s', async (name, prepare) => {
    const connectionString = await server.database(`plans_${name.length}`)
    await (await openPostgres({ connectionString, schema: 'migrate' })).close()
    await prepare(connectionString)
    const client = new pg.Client({ connectionString })
    await client.connect()
    for (const sql of FILLED) await client.query(sql)
    await prepare(connectionString)
    await client.query(
      'set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off; set plan_cache_mode = force_generic_plan',
    )
    const scans: string[] = []
    for (const statement of [...asked.values(), await intentsAsOne(engine)]) {
      const { name, text, values } = queryOf(statement)
      await client.query(`prepare ${name} as ${text}`)
      const nulls = values.length === 0 ? '' : `(${values.map(() => 'null').join(', ')})`
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain execute ${name}${nulls}`)
      const lines = rows.map((each) => each['QUERY PLAN'])
      for (const [index, line] of lines.entries()) {
        const scanned = /Seq Scan on (\w+)/u.exec(line)?.[1] ?? wholeIndex(line, lines[index + 1])
        if (scanned !== undefined && !SMALL.includes(scanned)) scans.push(`${line.trim()}: ${text}`)
      }
    }
    await client.end()
    expect(scans).toEqual([])
  })
})
