/** What is held while a client waits for an answer is held for a whole round trip: rows that all want are held for one. */
import { expect, it, vi } from 'vitest'
import { sealEntry } from '../../../src/runtime/storage/seal.js'
import type { Engine, StoragePlan, Rows } from '../../../src/runtime/storage/sql/plan.js'
import { storageOver } from '../../../src/runtime/storage/sql/storage.js'
import { schemaTool } from '../../../src/runtime/storage/sql/schema-tool.js'
import { openConnection } from '../../../src/runtime/storage/sqlite/connection.js'
import { sqliteEngine } from '../../../src/runtime/storage/sqlite/engine.js'
import { openLibsql } from '../../../src/runtime/storage/sqlite/libsql.js'
import { atMost, draft, request } from './examples.js'

/** A server, as far as plans know: it writes down which statements of a transaction are waited for. */
async function startServer() {
  const engine = sqliteEngine(openConnection(openLibsql(':memory:'), Date.now))
  await schemaTool(engine, { engine: 'sqlite', recorded: `select 1 from sqlite_master where name = 'schema_migrations'`, encoding: 'select encoding from pragma_encoding' }).up()
  const waits: string[] = []
  const server: Engine = { ...engine, isShared: true, write: (plan) => engine.write(() => overhear(plan(), waits)) }
  return { server, storage: { ...storageOver(server), intents: storageOver(engine).intents }, waits }
} // prettier-ignore

function* overhear<T>(plan: StoragePlan<T>, waits: string[]): StoragePlan<T> {
  let step = plan.next()
  while (step.done !== true) {
    if (step.value.blind !== true) waits.push(step.value.sql.replaceAll(/\s+/gu, ' ').trim().slice(0, 29))
    const rows: Rows = yield step.value
    step = plan.next(rows)
  }
  return step.value
}

it('the head of the log is held for one, whatever is settled', async () => {
  const { storage, waits } = await startServer()
  const key = { subject: 'agent:a', capability: 'c', key: 'k' } as const
  await storage.ledger.reserve('h', [{ tokenId: 'tok_r', maxUnits: 5n }, { tokenId: 'tok_c', maxUnits: 5n }], 4n) // prettier-ignore
  await storage.idempotency.start(key, 'd', 'inv-1', Date.now() + 60_000)
  await storage.intents.record({ invocation_id: 'inv-1', owner: 'p', draft: draft(), started_at: 1 })
  waits.length = 0
  const settlement = {
    draft: draft({ invocation_id: 'inv-1' }),
    closesIntent: 'inv-1',
    hold: { holdId: 'h', units: 1n, ceilings: 2 },
    answer: { key, invocationId: 'inv-1', status: 200, body: '{}' },
  }
  await storage.audit.append(() => [settlement, { draft: draft() }], sealEntry)
  expect(waits).toEqual(['select size, frontier from au'])
  expect([await storage.ledger.spent('tok_r'), await storage.ledger.spent('tok_c')]).toEqual([1n, 1n])
})

it('the row of a principal that opens an approval request is held for two', async () => {
  const { storage, waits } = await startServer()
  const asked = await request(storage, 'a', 60_000)
  expect(await storage.approvals.open(asked, atMost(5))).toMatchObject({ outcome: 'created' })
  expect(waits).toEqual(['select body, case when status', 'insert into approval_requests'])
})

it('a pending request is found while that row is held: what is decided a moment later changes no answer', async () => {
  const { storage, server } = await startServer()
  const [asked, again] = [await request(storage, 'a', 60_000), await request(storage, 'a', 60_000)]
  await storage.approvals.open(asked, atMost(5))
  vi.spyOn(server, 'read').mockRejectedValue(new Error('Nothing is read once the row is let go.'))
  expect(await storage.approvals.open(again, atMost(5))).toEqual({ outcome: 'pending', request: asked })
})
