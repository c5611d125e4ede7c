import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPostgres } from '../../../src/runtime/storage/postgres/index.js'
import { askingOf, isPooled } from '../../../src/runtime/storage/postgres/settings.js'
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
