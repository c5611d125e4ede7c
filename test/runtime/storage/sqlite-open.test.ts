import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { StorageUnavailable } from '../../../src/runtime/storage/contract.js'
import { openSqlite } from '../../../src/runtime/storage/sqlite/index.js'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-open-'))
})

afterEach(() => {
  rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
})

it('refuses a database without a name, which SQLite would keep in a temporary file', async () => {
  await expect(openSqlite({ file: '' })).rejects.toThrow(
    new StorageUnavailable('The database has no name, and SQLite would lose it at the end. Name a file.'),
  )
})

it.each([
  ['that is a folder', () => folder],
  [
    'that is no database',
    () => {
      writeFileSync(join(folder, 'text'), 'text '.repeat(1000))
      return join(folder, 'text')
    },
  ],
])('names a file %s, and says what to do', async (_, make) => {
  const file = make()
  const error: unknown = await openSqlite({ file }).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(StorageUnavailable)
  expect(String(error)).toContain(`The database ${file} cannot be used: `)
  expect(String(error)).toContain(
    '. Name a SQLite file that this process may read and write, or one that is not there yet.',
  )
})
