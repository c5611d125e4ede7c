import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startRecorder } from '../../../src/runtime/audit/recorder.js'
import { StorageUnavailable, type Storage } from '../../../src/runtime/storage/contract.js'
import { storageOver } from '../../../src/runtime/storage/sql/storage.js'
import { openConnection } from '../../../src/runtime/storage/sqlite/connection.js'
import type { SqliteDriver } from '../../../src/runtime/storage/sqlite/driver.js'
import { sqliteEngine } from '../../../src/runtime/storage/sqlite/engine.js'
import { openSqlite } from '../../../src/runtime/storage/sqlite/index.js'
import { openLibsql } from '../../../src/runtime/storage/sqlite/libsql.js'
import { draft, freshInvocation, token } from './examples.js'

/** A driver whose n-th statement from now fails, before or after it did its work. */
function faulty(driver: SqliteDriver): {
  readonly driver: SqliteDriver
  failAt(n: number, when: 'before' | 'after'): void
} {
  let left = 0
  let when: 'before' | 'after' = 'before'
  const counted = <T>(work: () => T): T => {
    left -= 1
    if (left === 0 && when === 'before') throw new Error('disk I/O error')
    const value = work()
    if (left === 0 && when === 'after') throw new Error('disk I/O error')
    return value
  }
  return {
    failAt: (n, moment) => {
      left = n
      when = moment
    },
    driver: {
      ...driver,
      prepare: (sql) => {
        const statement = driver.prepare(sql)
        return {
          all: (values) => counted(() => statement.all(values)),
          first: (values) => counted(() => statement.first(values)),
          run: (values) => counted(() => statement.run(values)),
        }
      },
    },
  }
}

describe('an embedded store that fails', () => {
  let folder = ''
  let storage: Storage
  let failAt: (n: number, when: 'before' | 'after') => void
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-faults-'))
    const file = join(folder, 'service.db')
    await (await openSqlite({ file })).close()
    const fault = faulty(openLibsql(file))
    failAt = fault.failAt
    storage = storageOver(sqliteEngine(openConnection(fault.driver, Date.now)))
  })
  afterEach(async () => {
    await storage.close()
    await rm(folder, { recursive: true })
  })

  it.each(['before', 'after'] as const)(
    'once %s any statement of a commit, tells of no success, and goes on',
    async (when) => {
      const recorder = startRecorder({ storage })
      let failures = 0
      for (let n = 1; n <= 30; n++) {
        const ids = [freshInvocation(), freshInvocation()]
        const intent = { invocation_id: ids[0]!, owner: 'p', draft: draft(), started_at: 1 }
        await storage.intents.record(intent)
        failAt(n, when)
        const settled = await Promise.allSettled([
          recorder.record({ draft: draft({ invocation_id: ids[0]! }), closesIntent: ids[0]! }),
          recorder.record({ draft: draft({ invocation_id: ids[1]! }) }),
        ])
        failAt(0, when)
        for (const [index, { status }] of settled.entries()) {
          const stored = await storage.audit.sequenceOf(ids[index]!)
          if (status === 'fulfilled') expect(stored).toBeDefined()
          else failures += 1
        }
        const open = (await storage.intents.orphans(1000)).map(({ invocation_id }) => invocation_id)
        expect(open.includes(ids[0]!)).toBe((await storage.audit.sequenceOf(ids[0]!)) === undefined)
      }
      expect(failures).toBeGreaterThan(10)
      const size = await storage.audit.size()
      const texts = await storage.audit.texts(1, 1000)
      expect(texts.map(({ sequence }) => sequence)).toEqual(Array.from({ length: size }, (_, index) => index + 1))
    },
  )

  it('fails the one whose statement failed, not those who share its commit', async () => {
    await storage.tokens.insert(token('tok_1'))
    const verbs = [storage.tokens.revoke('tok_1', 1), storage.nextBlock(), storage.ready()]
    failAt(4, 'before')
    const settled = await Promise.allSettled(verbs)
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
    expect(settled[0]).toMatchObject({
      reason: new StorageUnavailable('SQLite could not run a statement: disk I/O error'),
    })
    expect((await storage.tokens.chain('tok_1'))?.[0].revoked_at).toBeUndefined()
  })

  it('is not ready while it cannot be written', async () => {
    failAt(1, 'before')
    await expect(storage.ready()).rejects.toBeInstanceOf(StorageUnavailable)
    await storage.ready()
  })
})

describe('a file that is no database', () => {
  it('is told, and not touched', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'svc-faults-'))
    const { readFile, writeFile } = await import('node:fs/promises')
    const file = join(folder, 'service.db')
    const text = 'This is not a database, and long enough to be taken for one at first sight.'.repeat(20)
    await writeFile(file, text)
    await expect(openSqlite({ file })).rejects.toThrow('file is not a database')
    expect(await readFile(file, 'utf8')).toBe(text)
    await rm(folder, { recursive: true })
  })
})
