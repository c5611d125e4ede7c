/** Claims on idempotency keys, and what else is decided by one row, while another statement of PostgreSQL is in the middle of it. */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, afterEach, expect, it } from 'vitest'
import { erasureDraft } from '../../../src/crypto/trail/erasure.js'
import { sealEntry, sealFor } from '../../../src/runtime/storage/seal.js'
import type { IdempotencyKey, Storage } from '../../../src/runtime/storage/contract.js'
import type { Erased } from '../../../src/protocol/audit.js'
import { openPostgres } from '../../../src/runtime/storage/postgres/index.js'
import { atMost, decision, draft, request } from './examples.js'
import { startPostgres, type PostgresServer } from './postgres-server.js'

const HOUR = 3_600_000
const WEEK = 7 * 24 * HOUR
const key = (name: string): IdempotencyKey => ({ subject: 'agent:a', capability: 'pay', key: `human:h ${name}` })
const intent = (invocation_id: string, name: string) => ({
  invocation_id,
  owner: 'p',
  draft: draft(),
  started_at: 1,
  idempotency: key(name),
})

const TERMS = { grant_type: 'one_time', session_id: null, expires_in_seconds: 900, max_uses: 1 } as const

/** Resolves when a statement waits for the row that the client holds. */
async function untilSomebodyWaits(): Promise<void> {
  const waits = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  while ((await client.query(waits)).rows.length === 0) await sleep(10)
}

let server: PostgresServer
let client: pg.Client
let [storage, replica] = [undefined, undefined] as unknown as readonly [Storage, Storage]
beforeAll(async () => {
  server = await startPostgres(['fsync=off'])
})
afterAll(() => server.stop())

let databases = 0
beforeEach(async () => {
  const connectionString = await server.database(`claims_${++databases}`)
  storage = await openPostgres({ connectionString, schema: 'migrate' })
  replica = await openPostgres({ connectionString })
  client = new pg.Client({ connectionString })
  await client.connect()
})
afterEach(() => Promise.all([storage.close(), replica.close(), client.end()]))

it('one whose intent takes long to become durable is not taken over by who waited for it', async () => {
  const now = await storage.now()
  await storage.idempotency.start(key('k'), 'd', 'inv-A', now + HOUR)
  // Who inserts the same row keeps the statement of the intent waiting, which holds the claim.
  await client.query(`begin; insert into intents values ('inv-A', 'p', '{}', 1)`)
  const recorded = storage.intents.record(intent('inv-A', 'k'))
  await sleep(200)
  const second = replica.idempotency.start(key('k'), 'd', 'inv-B', now + HOUR)
  await sleep(5_200)
  await client.query('rollback')
  await recorded
  expect(await second).toEqual({ state: 'in_progress' })
  await expect(replica.intents.record(intent('inv-B', 'k'))).rejects.toThrow('The claim on the idempotency key lapsed')
}, 20_000)

it.each(['b', 'z1', 'q2', 'w3'])(
  'one that is made while the sweep looks for what expired stays (%s)',
  async (other) => {
    const now = await storage.now()
    for (const name of [other, 'k']) await storage.idempotency.start(key(name), 'd', `inv-${name}`, now - WEEK - HOUR)
    await client.query(`begin; select 1 from idempotency where idempotency_key = 'human:h ${other}' for update`)
    const sweeping = storage.sweep(now)
    await sleep(200)
    const first = replica.idempotency.start(key('k'), 'd', 'inv-1', now + HOUR)
    await sleep(200)
    await client.query('commit')
    expect(await first).toEqual({ state: 'started' })
    await sweeping
    expect(await replica.idempotency.start(key('k'), 'd', 'inv-2', now + HOUR)).toEqual({ state: 'in_progress' })
  },
)

it.each<[string, unknown, (id: string) => Promise<unknown>]>([
  [
    'reported as about to expire',
    0,
    () => replica.outbox.noteExpiries('approval.expiring', HOUR, 9, ({ approval_request_id: id }) => ({ id, type: 'approval.expiring', subject: id, body: '{}', targets: ['ops'] })),
  ],
  ['given one more approval', { outcome: 'closed' }, (id) => replica.approvals.give(id, { ...decision, terms: TERMS }, { counted: [], lapsed: [] })],
])('a request that is being denied is not %s: who would do it waits, and finds it decided', async (_, nothing, act) => {
  const asked = await request(storage, 'who', 60_000, { approvals_needed: 2 })
  const id = asked.approval_request_id
  await storage.approvals.open(asked, atMost(9))
  await client.query(`begin; update approval_requests set status = 'denied' where approval_request_id = '${id}'`)
  const acted = act(id)
  await Promise.race([acted, untilSomebodyWaits()])
  await client.query('commit')
  expect(await acted).toEqual(nothing)
}) // prettier-ignore

it('M7: an entry with an earlier time, appended while what is due is looked for, does not fail the erasure', async () => {
  const append = (timestamp: string) =>
    replica.audit.append(
      () => [{ draft: draft({ timestamp }) }],
      sealFor(() => HOUR),
    )
  await append('2020-01-01T00:00:00.000Z')
  await append('2020-01-01T01:00:00.000Z')
  // Who holds the entry stops the erasure between the look for what is due and the change of it.
  await client.query('begin; select 1 from audit_entries where sequence = 1 for update')
  const account = {
    draft: (erased: Erased) => erasureDraft('service:retention', erased, 'Due.', '2020-01-01T01:00:00.000Z'),
    seal: sealEntry,
  }
  const erasing = storage.audit.erase({ due: Date.parse('2020-01-02T00:00:00.000Z'), limit: 5, account })
  await untilSomebodyWaits()
  const appending = append('2020-01-01T00:59:59.999Z')
  await sleep(200)
  await client.query('rollback')
  expect(await erasing).toBe(1)
  await appending
})
