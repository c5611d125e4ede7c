/** Claims on idempotency keys, while another statement of PostgreSQL is in the middle of the same row. */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, afterEach, expect, it } from 'vitest'
import type { IdempotencyKey, Storage } from '../../../src/runtime/storage/contract.js'
import { openPostgres } from '../../../src/runtime/storage/postgres/index.js'
import { draft } from './examples.js'
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
