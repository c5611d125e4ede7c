/** The write-ahead log of a SQLite file beside a reader that stays. */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { maintain } from '../../../src/runtime/lifecycle/maintenance.js'
import { openConnection, type SqliteConnection } from '../../../src/runtime/storage/sqlite/connection.js'
import { openLibsql } from '../../../src/runtime/storage/sqlite/libsql.js'
import { foldLog } from '../../../src/runtime/storage/sqlite/write-ahead-log.js'
import { startFixture } from '../fixture/service.js'

let folder = ''
let file = ''
let writer: SqliteConnection
let reader: SqliteConnection
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-log-'))
  file = join(folder, 'a.db')
  writer = openConnection(openLibsql(file), Date.now)
  writer.control('pragma busy_timeout = 0')
  writer.control('create table notes (text text)')
  reader = openConnection(openLibsql(file), Date.now)
})
afterEach(() => {
  reader.close()
  writer.close()
  rmSync(folder, { recursive: true })
})

const MOST = 100_000
const size = (): number => statSync(`${file}-wal`).size
const write = (): void => {
  for (let note = 0; note < 40; note++)
    writer.run({ sql: 'insert into notes values (?)', values: ['n'.repeat(10_000)] })
}

it('is left alone while it is small, and moved into the file once it has grown', async () => {
  const small = size()
  expect([await foldLog(file, writer, MOST), size()]).toEqual([0, small])
  write()
  expect(size()).toBeGreaterThan(MOST)
  expect([await foldLog(file, writer, MOST), size()]).toEqual([0, 0])
})

it('is held by a reader, as many bytes as it has, until the reader has left', async () => {
  reader.control('begin')
  expect(reader.run({ sql: 'select count(*) from notes', values: [] })).toHaveLength(1)
  write()
  const held = await foldLog(file, writer, MOST)
  expect([held > MOST, held]).toEqual([true, size()])
  write()
  expect(await foldLog(file, writer, MOST)).toBeGreaterThan(held)
  reader.control('commit')
  expect([await foldLog(file, writer, MOST), size()]).toEqual([0, 0])
})

it('raises an alarm at the second reading, which ends when the log is folded in', async () => {
  const { service, logged } = await startFixture()
  let held = 0
  Object.assign(service.storage, { foldLog: async () => held })
  const chores: (() => Promise<unknown>)[] = []
  const stop = maintain(service, { every: (work, ms) => (ms === 30_000 && chores.push(work), () => undefined), uptime: () => 0 }) // prettier-ignore
  // Each has run once by now.
  await new Promise(setImmediate)
  const next = async (bytes: number) => {
    held = bytes
    for (const work of chores) await work()
    return service.alarms.has('database_log_held')
  }
  expect([await next(0), await next(7), await next(8), await next(9), await next(0), await next(7)]).toEqual([false, false, true, true, false, false]) // prettier-ignore
  const line = 'A reader of the database stays, and its write-ahead log grows. {"bytes":8}'
  expect(logged.filter((each) => each.startsWith('A reader of the database'))).toEqual([line])
  await stop()
})
