import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPostgres } from '../../../src/runtime/storage/postgres/index.js'
import { askingOf, isPooled, verifySettings } from '../../../src/runtime/storage/postgres/settings.js'
import { runSql } from './run-sql.js'
import { startPostgres, type PostgresServer } from './postgres-server.js'

describe('the options of an address', () => {
  it('come before those of the service, which win', () => {
    const { connectionString, options } = askingOf(
      'postgresql://svc:a%23b@db/shop?sslmode=require&options=-c%20search_path%3Dsvc%20-c%20jit%3Don',
    )
    expect(connectionString).toBe('postgresql://svc:a%23b@db/shop?sslmode=require')
    expect(options).toMatch(/^-c search_path=svc -c jit=on -c synchronous_commit=on .* -c jit=off /u)
  })

  it('leave an address without any as it is', () => {
    expect(askingOf('postgresql://svc@db/shop?sslmode=require').connectionString).toBe(
      'postgresql://svc@db/shop?sslmode=require',
    )
  })
})

it.each([
  ['postgresql://svc@db/shop?pgbouncer=true', true],
  ['postgresql://svc@db/shop?sslmode=require&pgbouncer=true', true],
  ['postgresql://svc@db/shop?pgbouncer=false', false],
  ['postgresql://svc@db/shop', false],
  ['postgresql://svc@db/pgbouncer=true', false],
])('knows that %s is behind PgBouncer: %s', (address, pooled) => {
  expect(isPooled(address)).toBe(pooled)
})

const WANTED = {
  synchronous_commit: 'on', default_transaction_isolation: 'read committed', enable_seqscan: 'off', enable_hashjoin: 'off', enable_mergejoin: 'off',
  plan_cache_mode: 'force_generic_plan', jit: 'off', statement_timeout: '10000', idle_in_transaction_session_timeout: '1500',
} as const // prettier-ignore

describe('the settings of a connection', () => {
  const poolWith = (changes: object) => {
    const rows = Object.entries({ ...WANTED, ...changes }).map(([name, setting]) => ({ name, setting, role: 'svc"x' }))
    return { query: async (_: string, [names]: readonly [readonly string[]]) => ({ rows: rows.filter(({ name }) => names.includes(name)) }) } as never // prettier-ignore
  }
  const wrong = (changes: object, pooled: boolean) =>
    verifySettings(poolWith(changes), pooled).then(() => undefined, (error: Error) => error.message) // prettier-ignore

  it('are all asked for by the address', () => {
    const { options } = askingOf('postgresql://svc@db/shop')
    expect(options).toBe(Object.entries(WANTED).map(([name, value]) => `-c ${name}=${value.replace(' ', '\\ ')}`).join(' ')) // prettier-ignore
  })

  it('hold as they are asked for, and with limits that are shorter', async () => {
    expect(await wrong({}, false)).toBeUndefined()
    expect(await wrong({ statement_timeout: '5000', idle_in_transaction_session_timeout: '1' }, true)).toBeUndefined()
    expect(await wrong({ statement_timeout: '0' }, true)).toContain('statement_timeout')
    expect(await wrong({ idle_in_transaction_session_timeout: '1501' }, true)).toContain('idle_in_transaction')
  })

  it.each<[string, string]>([
    ...Object.keys(WANTED).filter((name) => !name.endsWith('_timeout')).map((name): [string, string] => [name, 'other']),
    ['statement_timeout', '0'], ['statement_timeout', '10001'], ['idle_in_transaction_session_timeout', '0'],
  ])('are refused with %s = %s, with what to run behind PgBouncer', async (name, value) => {
    expect(await wrong({ [name]: value }, false)).toContain('Add ?pgbouncer=true to the address')
    expect((await wrong({ [name]: value }, true))!.split('\n').slice(1)).toEqual([
      `  alter role "svc""x" set ${name} = '${WANTED[name as keyof typeof WANTED]}';`,
    ])
  }) // prettier-ignore

  it('that a pooler refuses are told from what else fails', async () => {
    const failing = (message: string) => verifySettings({ query: () => Promise.reject(new Error(message)) } as never, false) // prettier-ignore
    await expect(failing('unsupported startup parameter: jit')).rejects.toThrow(
      'A pooler such as PgBouncer stands before',
    )
    await expect(failing('no route')).rejects.toThrow('no route')
  })
})

describe('a PostgreSQL whose address asks for something itself', () => {
  let server: PostgresServer
  beforeAll(async () => void (server = await startPostgres(['fsync=off'])))
  afterAll(() => server.stop())

  it('gives what the address asks for, and keeps the settings of the service', async () => {
    const address = await server.database('own')
    const client = new pg.Client({ connectionString: address })
    await client.connect()
    await client.query('create schema own')
    const asks = `${address}?options=${encodeURIComponent('-c search_path=own -c synchronous_commit=off')}`
    const storage = await openPostgres({ connectionString: asks, schema: 'migrate' })
    const { rows } = await client.query(`select schemaname from pg_tables where tablename = 'audit_entries'`)
    await client.end()
    await storage.close()
    expect(rows).toEqual([{ schemaname: 'own' }])
  })
})

describe('a PostgreSQL that grants few connections', () => {
  let server: PostgresServer
  beforeAll(async () => void (server = await startPostgres(['fsync=off'])))
  afterAll(() => server.stop())

  it.each([
    ['alter role few connection limit 6', 'The role "few" may have 6 connections, and each process of this service needs 14. Run: alter role "few" connection limit 14; or open fewer: openPostgres({ connections })'],
    ['alter role few connection limit 14', undefined],
    ['alter role few connection limit -1', undefined],
    ['alter database small connection limit 13', 'The database "small" may have 13 connections, and each process of this service needs 14. Run: alter database "small" connection limit 14; or open fewer: openPostgres({ connections })'],
  ])('after %s says %j', async (change, problem) => {
    const address = await server.database('small').catch(() => known)
    known = address
    await runSql(address, `do $$ begin create role few login; exception when others then null; end $$`)
    await runSql(address, 'grant all on schema public to few')
    await runSql(address, change)
    const connectionString = Object.assign(new URL(address), { username: 'few' }).href
    const opened = openPostgres({ connectionString, schema: 'migrate' }).then(
      (storage) => storage.close(),
      (error: Error) => error.message,
    )
    expect(await opened).toBe(problem)
  }) // prettier-ignore

  let known = ''
})
