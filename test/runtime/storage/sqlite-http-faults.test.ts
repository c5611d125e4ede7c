import { mkdtemp, open, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Storage } from '../../../src/runtime/storage/contract.js'
import { storageOver } from '../../../src/runtime/storage/sql/storage.js'
import { openConnection } from '../../../src/runtime/storage/sqlite/connection.js'
import type { SqliteDriver } from '../../../src/runtime/storage/sqlite/driver.js'
import { sqliteEngine } from '../../../src/runtime/storage/sqlite/engine.js'
import { openSqlite } from '../../../src/runtime/storage/sqlite/index.js'
import { openLibsql } from '../../../src/runtime/storage/sqlite/libsql.js'
import { failsAfterAnEffect, failsBeforeAnyEffect, type Fault } from './fault-scenarios.js'

const PAGE = 4096

describe('a service on SQLite', () => {
  let folder = ''
  let file = ''
  let driver: SqliteDriver
  let storage: Storage
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-faults-'))
    file = join(folder, 'service.db')
    await (await openSqlite({ file })).close()
    driver = openLibsql(file)
    storage = storageOver(sqliteEngine(openConnection(driver, Date.now)))
    // Pages are read from the file each time, and stay there until the test says otherwise.
    ask('pragma cache_size = 1')
    ask('pragma wal_autocheckpoint = 0')
  })
  afterEach(async () => {
    await storage.close()
    await rm(folder, { recursive: true })
  })

  const ask = (sql: string): number => Number(Object.values(driver.prepare(sql).first([]) ?? {})[0])

  /** The database may not grow, and has no free page: SQLite says that the disk is full. */
  const full = (): Fault => ({
    isTotal: false,
    begin: () => {
      driver.prepare('create table filler (bytes)').run([])
      ask(`pragma max_page_count = ${ask('pragma page_count')}`)
      const fill = driver.prepare('insert into filler values (zeroblob(9000))')
      expect(() => {
        for (;;) fill.run([])
      }).toThrow('full')
    },
    end: () => {
      ask('pragma max_page_count = 1000000')
      driver.prepare('drop table filler').run([])
    },
  })
  const readOnly = (): Fault => ({
    isTotal: true,
    begin: () => void driver.prepare('pragma query_only = on').run([]),
    end: () => void driver.prepare('pragma query_only = off').run([]),
  })
  /** Every page but the first is overwritten, and put back. */
  const corrupted = (): Fault => {
    let sound = Buffer.alloc(0)
    const write = async (bytes: Buffer): Promise<void> => {
      const handle = await open(file, 'r+')
      await handle.write(bytes, PAGE, bytes.length - PAGE, PAGE)
      await handle.close()
    }
    return {
      isTotal: true,
      begin: async () => {
        ask('pragma wal_checkpoint(truncate)')
        sound = await readFile(file)
        await write(Buffer.alloc((await stat(file)).size, 0xa5))
      },
      end: () => write(sound),
    }
  }

  describe.each([
    ['full', full],
    ['read-only', readOnly],
    ['corrupted in the middle', corrupted],
  ] as const)('that is %s', (_, faultOf) => {
    it('does nothing, says that it may be tried again, and goes on without a restart', () =>
      failsBeforeAnyEffect(storage, faultOf()))

    it('after an effect: tells no success, repeats nothing, and records it without a restart', () =>
      failsAfterAnEffect(storage, faultOf()))
  })
})
