/** PostgreSQL with the settings that operators give a server or a database: a service works as ever, or says at start why not. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Storage } from '../../src/runtime/storage/contract.js'
import { openPostgres } from '../../src/runtime/storage/postgres/index.js'
import { capability, input } from '../runtime/fixture/manifest.js'
import { startFixture } from '../runtime/fixture/service.js'
import { startPostgres, type PostgresServer } from '../runtime/storage/postgres-server.js'
import { runSql } from '../runtime/storage/run-sql.js'

const opened: Storage[] = []
afterEach(async () => {
  for (const storage of opened.splice(0)) await storage.close()
})

async function open(connectionString: string): Promise<Storage> {
  const storage = await openPostgres({ connectionString, schema: 'migrate' })
  opened.push(storage)
  return storage
}

const TEXT = `'"\\ \\'; -- E\\x41 $1 ? :now ż 😀`
/** A call that records a text, a cost and a time, and what the trail has of it. */
async function recorded(storage: Storage): Promise<unknown> {
  const capabilities = {
    search: capability({
      inputs: [input('text'), input('amount', { type: 'number' })],
      side_effect: { type: 'write' },
      cost: { certainty: 'fixed', financial: { currency: 'EUR', amount: 0.1 } },
      observability: { fields_logged: ['text', 'amount'] },
    }),
  }
  const { root, invoke, trail } = await startFixture({ storage, capabilities, clock: Date.now })
  const begun = Date.now()
  const { token } = await root({ budget: { currency: 'EUR', max_amount: 1e9, mode: 'cumulative' } })
  const { status, body } = await invoke('search', token, { parameters: { text: TEXT, amount: 0.1 + 0.2 } })
  const [entry] = await trail(token)
  const at = Date.parse(String(entry!['timestamp']))
  const { parameters, cost_actual } = entry!
  return { status, spent: body['budget_context']?.['budget_spent'], parameters, cost_actual, isNow: Math.abs(at - begun) < 60_000 }
} // prettier-ignore

const AS_EVER = {
  status: 200,
  spent: 0.1,
  parameters: { text: TEXT, amount: 0.1 + 0.2 },
  cost_actual: { currency: 'EUR', amount: 0.1 },
  isNow: true,
}

describe('a database with settings of its own', () => {
  let server: PostgresServer
  let made = 0
  beforeAll(async () => {
    server = await startPostgres(['fsync=off'])
  })
  afterAll(() => server.stop())
  const withSettings = async (settings: readonly string[]): Promise<string> => {
    const name = `settings_${(made += 1)}`
    const address = await server.database(name)
    for (const each of settings) await runSql(address, `alter database ${name} set ${each}`)
    return address
  }

  it.each([
    ['the defaults', []],
    ['times as people write them', [`timezone = 'Asia/Kathmandu'`, `datestyle = 'SQL, DMY'`, `intervalstyle = 'iso_8601'`]],
    ['texts as they once were', ['standard_conforming_strings = off', `bytea_output = 'escape'`, 'escape_string_warning = off']],
    ['few digits', ['extra_float_digits = -15']],
    ['plans of its own', ['enable_seqscan = on', `plan_cache_mode = 'force_custom_plan'`, 'jit = on', 'jit_above_cost = 0', 'enable_indexscan = off']],
    ['commits that do not wait, and transactions that exclude each other', ['synchronous_commit = off', `default_transaction_isolation = 'serializable'`]],
    ['hardly any time', ['statement_timeout = 1', 'idle_in_transaction_session_timeout = 1']],
    ['another encoding of clients', [`client_encoding = 'LATIN1'`]],
    ['names that are kept as written', ['quote_all_identifiers = on', 'array_nulls = off', `transform_null_equals = on`]],
  ])('works as ever: %s', async (_, settings) => {
    expect(await recorded(await open(await withSettings(settings)))).toEqual(AS_EVER)
  }) // prettier-ignore

  it('does not start where it may only be read', async () => {
    const address = await withSettings(['default_transaction_read_only = on'])
    await expect(open(address)).rejects.toThrow(/read-only transaction/u)
  })

  it('does not start where its text is not UTF-8', async () => {
    const address = await server.database('old_text_base')
    await runSql(address, `create database old_text template template0 encoding 'LATIN1' lc_collate 'C' lc_ctype 'C'`)
    await expect(open(address.replace('old_text_base', 'old_text'))).rejects.toThrow(
      'The encoding of the database is LATIN1, and must be UTF-8. Make another file for SQLite; for PostgreSQL: createdb --template template0 --encoding UTF8 <name>',
    )
  })
})

it('a server that grants fewer connections than a service needs is named at start, and no call fails later', async () => {
  const server = await startPostgres(['fsync=off', 'max_connections=16', 'superuser_reserved_connections=3'])
  try {
    const address = await server.database('few')
    await runSql(address, 'create role few login; grant all on schema public to few')
    const asFew = address.replace('postgres@', 'few@')
    await expect(open(asFew)).rejects.toThrow(
      'The server grants 13 connections in all, and each process of this service needs 14. ' +
        'Raise max_connections of PostgreSQL, or open fewer: openPostgres({ connections })',
    )
    const storage = await openPostgres({ connectionString: asFew, connections: 8, schema: 'migrate' })
    opened.push(storage)
    expect(await recorded(storage)).toEqual(AS_EVER)
    for (const each of opened.splice(0)) await each.close()
  } finally {
    await server.stop()
  }
})
