/** Rates after the clock of a store was set back: a bucket that is further ahead than one can be counts as full (threat N09). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPostgres } from '../../../src/runtime/storage/postgres/index.js'
import { openSqlite } from '../../../src/runtime/storage/sqlite/index.js'
import { startPostgres, type PostgresServer } from './postgres-server.js'
import { runSql } from './run-sql.js'

const SECOND = 1_000
const HOUR = 3_600 * SECOND

it.each([
  [0, { places: 0, waitMs: 6 * SECOND }],
  [30 * SECOND, { places: 0, waitMs: 36 * SECOND }],
  [60 * SECOND, { places: 0, waitMs: 66 * SECOND }],
  [60 * SECOND + 1, { places: 10 }],
  [HOUR, { places: 10 }],
  [48 * HOUR, { places: 10 }],
])('on SQLite, %i ms back, an empty bucket of ten answers %j', async (back, answer) => {
  let now = 100 * HOUR
  const { rates, close } = await openSqlite({ file: ':memory:', clock: () => now })
  expect(await rates.take('ana', 10, 10)).toEqual({ places: 10 })
  now -= back
  expect(await rates.take('ana', 20, 10)).toEqual(answer)
  expect(await rates.take('ana', 1, 10)).toMatchObject({ places: 0 })
  await close()
})

describe('on PostgreSQL', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres(['fsync=off'])
  }, 60_000)
  afterAll(() => server.stop())

  it.each([
    ['a quarter of a minute', 15, 0],
    ['an hour', 3_600, 10],
    ['two days', 172_800, 10],
  ])('a bucket that is ahead by %s more than a minute', async (name, seconds, places) => {
    const connectionString = await server.database(`rates_${seconds}`)
    const { rates, close } = await openPostgres({ connectionString, schema: 'migrate' })
    expect(await rates.take(name, 10, 10)).toEqual({ places: 10 })
    await runSql(connectionString, `update rates set full_at = full_at + ${seconds}000000`)
    expect(await rates.take(name, 20, 10)).toMatchObject({ places })
    expect(await rates.take(name, 1, 10)).toMatchObject({ places: 0 })
    await close()
  })
})
