import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqlite, type SqliteOptions } from '../../../src/runtime/storage/sqlite/index.js'
import type { Harness } from './contract.js'

/** Two connections to one file, with a clock that passes when told. */
export const openSqliteHarness = (driver: NonNullable<SqliteOptions['driver']>) => async (): Promise<Harness> => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-storage-'))
  let time = 1_767_225_600_000
  const options = { file: join(folder, 'service.db'), clock: () => time, driver }
  const storage = await openSqlite(options)
  const replica = await openSqlite(options)
  return {
    storage,
    replica,
    pass: async (ms) => {
      time += ms
    },
    close: async () => {
      await storage.close()
      await replica.close()
      await rm(folder, { recursive: true })
    },
  }
}
