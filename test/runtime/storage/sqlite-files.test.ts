/** What a SQLite store leaves on the disk, and for whom. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { makeFolder } from '../../../src/runtime/storage/make-folder.js'
import { openConnection } from '../../../src/runtime/storage/sqlite/connection.js'
import type { SqliteDriver } from '../../../src/runtime/storage/sqlite/driver.js'
import { backupSqlite, openSqlite } from '../../../src/runtime/storage/sqlite/index.js'
import { token } from './examples.js'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-files-'))
})

afterEach(() => {
  rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
})

it('is one file that nobody else may read, in a folder that is made, and once it is closed it has all', async () => {
  const file = join(folder, 'a/b/service.db')
  const storage = await openSqlite({ file })
  await storage.tokens.insert(token('tok_1'))
  expect(statSync(file).mode & 0o777).toBe(0o600)
  await storage.close()
  const logs = readdirSync(join(folder, 'a/b')).filter((name) => name.endsWith('-wal'))
  expect(logs.map((name) => statSync(join(folder, 'a/b', name)).size).filter((size) => size > 0)).toEqual([])
  expect(readFileSync(file).includes('tok_1')).toBe(true)
  const again = await openSqlite({ file })
  expect(await again.tokens.chain('tok_1')).toHaveLength(1)
  await again.close()
})

/** A driver that keeps what it is asked to prepare. */
function askedDriver() {
  const asked: string[] = []
  let closed = false
  const statement = { first: () => undefined, all: () => [], run: () => undefined }
  const driver: SqliteDriver = {
    name: 'libsql',
    prepare: (sql: string) => (asked.push(sql), statement),
    close: () => void (closed = true),
  } as never
  return { driver, asked, isClosed: () => closed }
}

it('loses nothing that was committed, and waits for whoever else writes', () => {
  const { driver, asked, isClosed } = askedDriver()
  const connection = openConnection(driver, () => 0)
  expect(asked).toEqual([
    'pragma journal_mode = wal',
    'pragma synchronous = full',
    'pragma foreign_keys = on',
    'pragma busy_timeout = 5000',
    'pragma trusted_schema = off',
  ])
  connection.close()
  expect([asked.at(-1), isClosed()]).toEqual(['pragma wal_checkpoint(truncate)', true])
})

it('prepares a statement once, and forgets all when there are 500', () => {
  const { driver, asked } = askedDriver()
  const connection = openConnection(driver, () => 0)
  for (let n = 0; n < 3; n++) connection.run({ sql: 'select 1', values: [] })
  expect(asked.filter((sql) => sql === 'select 1')).toHaveLength(1)
  for (let n = 0; n < 494; n++) connection.run({ sql: `select 2, ${n}`, values: [] })
  connection.run({ sql: 'select 1', values: [] })
  expect(asked.filter((sql) => sql === 'select 1')).toHaveLength(1)
  connection.run({ sql: 'select 3', values: [] })
  connection.run({ sql: 'select 1', values: [] })
  expect(asked.filter((sql) => sql === 'select 1')).toHaveLength(2)
})

it('a backup leaves nothing beside itself, and nothing at all where there is no database to copy', async () => {
  const file = join(folder, 'service.db')
  await (await openSqlite({ file })).close()
  await backupSqlite({ file, to: join(folder, 'copy.db') })
  expect(readdirSync(folder).filter((name) => !name.startsWith('service.db'))).toEqual(['copy.db'])
  writeFileSync(join(folder, 'text'), 'text '.repeat(1000))
  const failing = backupSqlite({ file: join(folder, 'text'), to: join(folder, 'other.db') })
  await expect(failing).rejects.toThrow(`${join(folder, 'text')} could not be copied to ${join(folder, 'other.db')}: `)
  expect(readdirSync(folder)).not.toContain('other.db')
})

it.each([
  ['host=db password=hunter2', 'is a SQLite file or a postgresql:// address, not host=… pairs'],
  ['postgresql://u:hunter2@db/x', 'Name a path, as data/service.db, or open the address with openPostgres.'],
  ['libsql://u:hunter2@db/x', 'libsql:// begins an address. Name a path, as data/service.db.'],
])('%s is no file, and is not repeated', async (file, message) => {
  const error = (await openSqlite({ file }).catch((thrown: unknown) => thrown)) as Error
  expect(error.message).toContain(message)
  expect(error.message).not.toContain('hunter2')
  expect(readdirSync(folder)).toEqual([])
})

it('folders are made from the outermost on, with the mode that is asked for; what is there stays as it is', async () => {
  const inner = join(folder, 'a/b/c')
  expect(await makeFolder(inner, 0o700)).toBe(join(folder, 'a'))
  for (const made of ['a', 'a/b', 'a/b/c']) expect(statSync(join(folder, made)).mode & 0o777).toBe(0o700)
  expect(await makeFolder(inner, 0o755)).toBeUndefined()
  expect(statSync(inner).mode & 0o777).toBe(0o700)
  writeFileSync(join(folder, 'file'), '')
  await expect(makeFolder(join(folder, 'file/below'))).rejects.toThrow('ENOTDIR')
})
