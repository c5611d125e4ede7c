/** A process that reads a service's SQLite file and does not end its transaction: an alarm, until it has left. */
import { statSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openConnection } from '../../src/runtime/storage/sqlite/connection.js'
import { openLibsql } from '../../src/runtime/storage/sqlite/libsql.js'
import { invokeAtOnce, root, successes } from '../races/acts.js'
import { createWorld, type World } from '../races/world.js'

const MOST = 64 * 1024 * 1024
const AT_ONCE = 8
/** Two readings of the log, and the report. */
const NOTICED_MS = 90_000

let world: World
beforeAll(async () => {
  world = await createWorld({ engine: 'sqlite', replicas: 1 })
})
afterAll(() => world.end())

const alarms = async (): Promise<unknown> => (await world.get(0, '/-/ready')).body['alarms']

it('is told of while its log grows, and calls go on; the log is emptied when it has left', async () => {
  const { file } = world.storage as { readonly file: string }
  const size = (): number => statSync(`${file}-wal`).size
  const token = await root(world)
  const reader = openConnection(openLibsql(file), Date.now)
  try {
    reader.control('begin')
    reader.run({ sql: 'select count(*) from audit_entries', values: [] })
    for (let round = 0; round < 5_000 && size() <= MOST; round++)
      expect(successes(await invokeAtOnce(world, AT_ONCE, 'act', token))).toHaveLength(AT_ONCE)
    expect(size()).toBeGreaterThan(MOST)
    await expect.poll(alarms, { timeout: NOTICED_MS, interval: 1_000 }).toEqual(['database_log_held'])
    expect((await world.get(0, '/-/ready')).status).toBe(200)
    reader.control('commit')
    await expect.poll(alarms, { timeout: NOTICED_MS, interval: 1_000 }).toEqual([])
    expect(size()).toBeLessThan(MOST)
  } finally {
    reader.close()
  }
})
