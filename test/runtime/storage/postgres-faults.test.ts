import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startRecorder } from '../../../src/runtime/audit/recorder.js'
import { sealEntry } from '../../../src/runtime/storage/seal.js'
import { StorageUnavailable, type Storage } from '../../../src/runtime/storage/contract.js'
import { openPostgres } from '../../../src/runtime/storage/postgres/index.js'
import { draft, token } from './examples.js'
import { startPostgres, type PostgresServer } from './postgres-server.js'

describe('a store on PostgreSQL that fails', () => {
  let server: PostgresServer
  let connectionString = ''
  let storage: Storage
  beforeAll(async () => {
    server = await startPostgres(['fsync=off'])
    connectionString = await server.database('faults')
    storage = await openPostgres({ connectionString, schema: 'migrate' })
    await storage.tokens.insert(token('tok_1'))
  }, 60_000)
  afterAll(async () => {
    await storage.close()
    await server.stop()
  })

  const administer = async (sql: string): Promise<void> => {
    const client = new pg.Client({ connectionString: `postgresql://postgres@127.0.0.1:${server.port}/postgres` })
    await client.connect()
    await client.query(sql).finally(() => client.end())
  }
  const dropConnections = (): Promise<void> =>
    administer(`select pg_terminate_backend(pid) from pg_stat_activity where datname = 'faults'`)

  it('reads and writes again after its connections were dropped', async () => {
    await dropConnections()
    await Promise.allSettled([storage.tokens.chain('tok_1'), storage.ready()])
    expect(await storage.tokens.chain('tok_1')).toHaveLength(1)
    await storage.ready()
  })

  it('is not ready while it is read-only, and says so of every write', async () => {
    await administer('alter database faults set default_transaction_read_only = on')
    await dropConnections()
    await Promise.allSettled([storage.tokens.chain('tok_1'), storage.ready()])
    await expect(storage.ready()).rejects.toBeInstanceOf(StorageUnavailable)
    await expect(startRecorder({ storage }).record({ draft: draft() })).rejects.toBeInstanceOf(StorageUnavailable)
    expect(await storage.tokens.chain('tok_1')).toHaveLength(1)
    await administer('alter database faults reset default_transaction_read_only')
    await dropConnections()
    // Each connection learns for itself that it was dropped.
    await vi.waitFor(() => startRecorder({ storage }).record({ draft: draft() }), 5000)
    await vi.waitFor(() => storage.ready(), 5000)
  })

  it('stores nothing of a transaction whose statement failed ahead', async () => {
    const size = await storage.audit.size()
    const taken = await startRecorder({ storage }).record({ draft: draft() })
    const failing = storage.audit.append(
      () => [{ draft: draft() }],
      (each, sequence) => ({ ...sealEntry(each, sequence), entry: { ...each, sequence: taken!.entry.sequence } }),
    )
    await expect(failing).rejects.toBeInstanceOf(StorageUnavailable)
    expect(await storage.audit.size()).toBe(size + 1)
    await startRecorder({ storage }).record({ draft: draft() })
    expect(await storage.audit.size()).toBe(size + 2)
  })

  it('cannot be opened where there is no server', async () => {
    const opening = openPostgres({ connectionString: 'postgresql://postgres@127.0.0.1:1/none' })
    await expect(opening).rejects.toBeInstanceOf(StorageUnavailable)
  })

  it('cannot be opened at an address that is none, which is said without its password', async () => {
    const opening = openPostgres({ connectionString: 'postgresql://svc:sec/ret@127.0.0.1/none' })
    await expect(opening).rejects.toThrow(
      new StorageUnavailable(
        'The address of the database cannot be read. Escape what is special in it: / as %2F, # as %23, @ as %40.',
      ),
    )
  })
})
