import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { expect, it } from 'vitest'
import { maintain } from '../../src/runtime/lifecycle/maintenance.js'
import { eraseExpired } from '../../src/runtime/lifecycle/retention.js'
import { capability } from './fixture/manifest.js'
import { startFixture } from './fixture/service.js'
import { openSqlite } from '../../src/runtime/storage/sqlite/index.js'
import { draft } from './storage/examples.js'

it('retention erases all that is due, in as many batches as it takes, and nothing else', async () => {
  const capabilities = {
    search: capability({ observability: { logged: true, retention: 'P1D' } }),
    keep: capability(),
  }
  const { service, storage, time } = await startFixture({ capabilities })
  const record = (name: string, count: number): Promise<unknown> => {
    const timestamp = new Date(time.now).toISOString()
    return Promise.all(
      Array.from({ length: count }, () => service.record({ draft: draft({ capability: name, timestamp }) })),
    )
  }
  await record('search', 450)
  await record('keep', 3)
  time.now += 2 * 24 * 3_600_000
  await record('search', 2)
  expect(await eraseExpired(service, await storage.now())).toBe(450)
  expect(await eraseExpired(service, await storage.now())).toBe(0)
  const texts = await storage.audit.texts(1, 1000)
  expect(texts.map(({ text }) => text !== null)).toEqual([
    ...Array<boolean>(450).fill(false),
    // Three batches, each with the entry that accounts for it.
    ...Array<boolean>(5 + 3).fill(true),
  ])
})

it('a call that was refused is forgotten after its time, one whose handler failed is not', async () => {
  const fail = (): never => {
    throw new Error('no')
  }
  const { service, storage, time, root, invoke } = await startFixture({
    capabilities: { search: capability(), pay: capability({ side_effect: { type: 'irreversible' } }) },
    handlers: { search: fail, pay: fail },
  })
  const { token } = await root()
  for (const name of ['unknown', 'search', 'pay']) await invoke(name, token)
  time.now += service.limits.refusalRetentionMs
  await service.record({ draft: draft({ timestamp: new Date(time.now).toISOString() }) })
  expect(await eraseExpired(service, await storage.now())).toBe(1)
  const texts = await storage.audit.texts(2, 3)
  expect(texts.map(({ text }) => text !== null)).toEqual([false, true, true])
})

it('a clock that is a year ahead of that of the store takes nothing away', async () => {
  const now = Date.parse('2026-03-01T12:00:00.000Z')
  const storage = await openSqlite({ file: ':memory:', clock: () => now })
  const swept: number[] = []
  Object.assign(storage, { sweep: async (at: number) => void swept.push(at) })
  const { service } = await startFixture({
    capabilities: { search: capability({ observability: { logged: true, retention: 'P1D' } }) },
    storage,
    clock: () => now + 365 * 24 * 3_600_000,
  })
  await service.record({ draft: draft({ capability: 'search', timestamp: new Date(now).toISOString() }) })
  expect(await eraseExpired(service, await storage.now())).toBe(0)
  await maintain(service)()
  expect(swept).toEqual([now])
})

it('what is erased leaves its time, its id and its place in the index, and nothing else', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-erased-'))
  const file = join(folder, 'service.db')
  const capabilities = { search: capability({ observability: { logged: true, retention: 'P1D' } }) }
  const { service, storage, time } = await startFixture({ file, capabilities })
  const about = { task_id: 't', client_reference_id: 'c', parent_invocation_id: 'inv-0', approval_request_id: 'apr_1' }
  const timestamp = new Date(time.now).toISOString()
  await service.record({ draft: draft({ capability: 'search', ...about, timestamp }) })
  time.now += 2 * 24 * 3_600_000
  await service.record({ draft: draft({ capability: 'none', timestamp: new Date(time.now).toISOString() }) })
  expect(await eraseExpired(service, await storage.now())).toBe(1)
  const driver = new Database(file)
  const found = driver.prepare('select * from audit_index where sequence = 1').get()
  const { _metadata: _, ...row } = found as { readonly [column: string]: unknown }
  driver.close()
  const kept = Object.keys(row).filter((column) => row[column] !== null)
  expect(kept.toSorted()).toEqual(['invocation_id', 'recorded_at', 'sequence'])
  await storage.close()
  rmSync(folder, { recursive: true })
}) // prettier-ignore
