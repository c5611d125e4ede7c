import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startRecorder } from '../../../src/runtime/audit/recorder.js'
import type { Storage } from '../../../src/runtime/storage/contract.js'
import { openSqlite } from '../../../src/runtime/storage/sqlite/index.js'
import { draft } from './examples.js'

/** Data files of every released schema; `fixture/make.js` shows what is in them. */
describe.each(['v1', 'v2'])('a data file of schema %s', (name) => {
  let folder = ''
  let storage: Storage
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-older-'))
    const file = join(folder, 'service.db')
    await writeFile(file, gunzipSync(await readFile(join(import.meta.dirname, `fixture/${name}.db.gz`))))
    storage = await openSqlite({ file, clock: () => Date.parse('2026-01-01T12:00:05.000Z') })
  })
  afterAll(async () => {
    await storage.close()
    await rm(folder, { recursive: true })
  })

  it('has its tokens, and what was revoked', async () => {
    const chain = await storage.tokens.chain('tok_child')
    expect(chain?.map(({ claims }) => claims.jti)).toEqual(['tok_root', 'tok_child'])
    expect((await storage.tokens.chain('tok_gone'))?.[0].revoked_at).toBe(Date.parse('2026-01-01T12:00:00.000Z'))
  })

  it('has its approvals, and the uses of its grant', async () => {
    expect((await storage.approvals.get('apr_1'))?.status).toBe('approved')
    expect((await storage.approvals.get('apr_2'))?.status).toBe('pending')
    expect((await storage.approvals.grant('grt_1'))?.uses).toBe(1)
    expect([
      await storage.approvals.spend('grt_1', 'inv-000000000001'),
      await storage.approvals.spend('grt_1', 'inv-000000000001'),
    ]).toEqual([true, true])
    expect(await storage.approvals.spend('grt_1', 'inv-000000000001')).toBe(false)
  })

  it('has its budget, binding, answer, intent, lease and checkpoint', async () => {
    const key = { subject: 'agent:planner', capability: 'book', key: 'k1' } as const
    expect(await storage.ledger.spent('tok_root')).toBe(28_000n)
    expect((await storage.bindings.get('bnd_1'))?.price).toEqual({ currency: 'EUR', amount: 280.5 })
    const answered = { state: 'answered', status: 200, body: '{"success":true}' }
    expect(await storage.idempotency.start(key, 'sha256:aa', 'inv-x', Date.parse('2026-01-02'))).toEqual(answered)
    expect((await storage.intents.orphans(5)).map((intent) => intent.invocation_id)).toEqual(['inv-000000000008'])
    expect(await storage.leases.acquire('token:tok_root', 'other', 1)).toBe(false)
    expect((await storage.checkpoints.latest())?.entry_count).toBe(7)
    expect(await storage.nextBlock()).toBe(2)
  })

  it('has its trail, which hashes to what was stored and goes on', async () => {
    const texts = await storage.audit.texts(1, 100)
    const leaves = await storage.audit.nodes(texts.map((_, index) => ({ level: 0, index })))
    const hashes = texts.map(({ text }) => createHash('sha256').update(`\0${text}`).digest('hex'))
    expect(leaves.map((leaf) => Buffer.from(leaf).toString('hex'))).toEqual(hashes)
    expect(await storage.audit.query({ rootPrincipal: 'human:ana', task_id: 't1', limit: 100 })).toHaveLength(7)
    const next = await startRecorder({ storage }).record({ draft: draft({ invocation_id: 'inv-0000000000ff' }) })
    expect(next?.entry.sequence).toBe(8)
    const [root] = await storage.audit.nodes([{ level: 3, index: 0 }])
    expect(root).toHaveLength(32)
  })
})
