/** A SQLite file that another process writes to: the service waits for it, and does everything else meanwhile. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openConnection, type SqliteConnection } from '../../../src/runtime/storage/sqlite/connection.js'
import { openLibsql } from '../../../src/runtime/storage/sqlite/libsql.js'
import { openSqlite } from '../../../src/runtime/storage/sqlite/index.js'
import type { Storage } from '../../../src/runtime/storage/contract.js'
import { startFixture } from '../fixture/service.js'

let folder = ''
let storage: Storage
let other: SqliteConnection
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-busy-'))
  storage = await openSqlite({ file: join(folder, 'a.db') })
  other = openConnection(openLibsql(join(folder, 'a.db')), Date.now)
})
afterEach(async () => {
  other.close()
  await storage.close()
  rmSync(folder, { recursive: true })
})

it('is written to when the other has ended, and stops nothing meanwhile', async () => {
  other.control('begin immediate')
  const begun = performance.now()
  const taken = storage.leases.acquire('a', 'me', 1_000).then((held) => [held, performance.now() - begun] as const)
  const [before, read] = [performance.now(), storage.audit.size()]
  await sleep(1)
  expect(performance.now() - before).toBeLessThan(500)
  expect(await read).toBe(0)
  await sleep(200)
  other.control('commit')
  const [held, ms] = await taken
  expect([held, ms > 200, ms < 3_000]).toEqual([true, true, true])
})

it('is unavailable, in the words of SQLite, where the other does not end', { timeout: 20_000 }, async () => {
  other.control('begin immediate')
  await expect(storage.leases.acquire('a', 'me', 1_000)).rejects.toThrow('database is locked')
  other.control('rollback')
  expect(await storage.leases.acquire('a', 'me', 1_000)).toBe(true)
})

it('never stops probes: /-/live answers at once all the time that the file is held', async () => {
  const { call, post } = await startFixture({ storage, clock: Date.now })
  other.control('begin immediate')
  const issuing = post('/svc/tokens', 'ana-key', { scope: ['travel.search'] })
  const begun = performance.now()
  for (let probe = 0; probe < 20; probe++) {
    expect((await call('GET', '/-/live')).status).toBe(200)
    await sleep(20)
  }
  // 400 ms are slept; a wait of SQLite itself would be one of 5 s.
  expect(performance.now() - begun).toBeLessThan(3_000)
  other.control('commit')
  expect((await issuing).status).toBe(200)
})
