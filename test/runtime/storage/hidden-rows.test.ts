/** N08: where the trail of a time begins, when somebody who writes the database hid rows of its index. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { expect, it, onTestFinished } from 'vitest'
import { sealFor } from '../../../src/runtime/storage/seal.js'
import { openSqlite } from '../../../src/runtime/storage/sqlite/index.js'
import { draft, iso } from './examples.js'

const NOW = Date.parse('2026-03-01T12:00:00.000Z')

/** A trail of seven entries, one each millisecond, without the rows of some in its index. */
async function hiding(...sequences: readonly number[]) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-hidden-'))
  const file = join(folder, 'service.db')
  const storage = await openSqlite({ file, clock: () => NOW })
  onTestFinished(async () => {
    await storage.close()
    rmSync(folder, { recursive: true })
  })
  const settlements = [1, 2, 3, 4, 5, 6, 7].map((ms) => ({ draft: draft({ timestamp: iso(NOW + ms) }) }))
  await storage.audit.append(
    () => settlements,
    sealFor(() => undefined),
  )
  const driver = new Database(file)
  driver.exec('drop trigger audit_index_is_kept')
  driver.exec(`delete from audit_index where sequence in (${sequences.join()})`)
  driver.close()
  return (ms: number) => storage.audit.firstSince(NOW + ms)
}

const TIMES = [0, 1, 2, 3, 4, 5, 6, 7, 8]

it('with every row, the trail since a time begins at its first entry', async () => {
  const firstSince = await hiding()
  expect(await Promise.all(TIMES.map(firstSince))).toEqual([1, 1, 2, 3, 4, 5, 6, 7, 8])
})

it.each([[[1]], [[2]], [[3]], [[4]], [[5]], [[6]], [[7]], [[2, 4]], [[4, 6]], [[1, 2, 3, 4, 5, 6, 7]]])(
  'without the rows of %j, it begins after no entry of that time',
  async (hidden) => {
    const firstSince = await hiding(...hidden)
    const passedOver = []
    for (const ms of TIMES) if ((await firstSince(ms)) > Math.max(ms, 1)) passedOver.push(ms)
    expect(passedOver).toEqual([])
  },
)
