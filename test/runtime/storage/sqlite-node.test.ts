import { expect, it } from 'vitest'
import { openSqlite } from '../../../src/runtime/storage/sqlite/index.js'
import { describeStorage } from './contract.js'
import { openSqliteHarness } from './sqlite-harness.js'

const builtin: ((id: string) => object | undefined) | undefined = process.getBuiltinModule

if (builtin?.('node:sqlite') === undefined) {
  it('is not asked for on a Node that has none', async () => {
    const opening = openSqlite({ file: ':memory:', driver: 'node:sqlite' })
    await expect(opening).rejects.toThrow('Node 22.13 or later has it')
  })
} else {
  describeStorage('SQLite through node:sqlite', openSqliteHarness('node:sqlite'))
}
