import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SchemaMismatch } from '../../../src/runtime/storage/sql/migrate.js'
import { MIGRATIONS } from '../../../src/runtime/storage/sql/schema/index.js'
import type { SchemaTool } from '../../../src/runtime/storage/sql/schema-tool.js'
import { openPostgres, openPostgresSchema } from '../../../src/runtime/storage/postgres/index.js'
import { openLibsql } from '../../../src/runtime/storage/sqlite/libsql.js'
import { openSqlite, openSqliteSchema } from '../../../src/runtime/storage/sqlite/index.js'
import type { Storage } from '../../../src/runtime/storage/contract.js'
import { startPostgres, type PostgresServer } from './postgres-server.js'
import pg from 'pg'

const ALL = MIGRATIONS.map(({ version, name }) => ({ version, name }))

interface Database {
  schema(): Promise<SchemaTool>
  open(mode: 'verify' | 'migrate'): Promise<Storage>
  /** Runs a statement behind the back of the store. */
  tamper(sql: string): Promise<void>
}

describe('migrations', () => {
  let folder = ''
  let server: PostgresServer
  let made = 0
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-migrations-'))
    server = await startPostgres(['fsync=off'])
  }, 60_000)
  afterAll(async () => {
    await server.stop()
    await rm(folder, { recursive: true })
  })

  const sqlite = async (): Promise<Database> => {
    const file = join(folder, `${++made}.db`)
    return {
      schema: () => openSqliteSchema({ file }),
      open: (schema) => openSqlite({ file, schema }),
      tamper: async (sql) => {
        const driver = openLibsql(file)
        driver.prepare(sql).run([])
        driver.close()
      },
    }
  }
  const postgres = async (): Promise<Database> => {
    const connectionString = await server.database(`migrations_${++made}`)
    return {
      schema: () => openPostgresSchema({ connectionString }),
      open: (schema) => openPostgres({ connectionString, schema }),
      tamper: async (sql) => {
        const client = new pg.Client({ connectionString })
        await client.connect()
        await client.query(sql).finally(() => client.end())
      },
    }
  }

  const using = async <T>(database: Database, use: (schema: SchemaTool) => Promise<T>): Promise<T> => {
    const schema = await database.schema()
    return use(schema).finally(() => schema.close())
  }

  describe.each([
    ['SQLite', sqlite],
    ['PostgreSQL', postgres],
  ] as const)('on %s', (_, create) => {
    it('are all pending in an empty database, and applied once', async () => {
      const database = await create()
      expect((await using(database, (schema) => schema.status())).pending).toEqual(ALL)
      expect(await using(database, (schema) => schema.up())).toEqual(ALL)
      expect(await using(database, (schema) => schema.up())).toEqual([])
      const { applied, pending } = await using(database, (schema) => schema.status())
      expect(applied.map(({ version, name }) => ({ version, name }))).toEqual(ALL)
      expect(pending).toEqual([])
    })

    it('can be rehearsed without a trace', async () => {
      const database = await create()
      expect(await using(database, (schema) => schema.rehearse())).toEqual(ALL)
      expect((await using(database, (schema) => schema.status())).pending).toEqual(ALL)
    })

    it('are applied once by many who start together', async () => {
      const database = await create()
      const stores = await Promise.all(Array.from({ length: 4 }, () => database.open('migrate')))
      await Promise.all(stores.map((storage) => storage.close()))
      expect((await using(database, (schema) => schema.status())).applied).toHaveLength(ALL.length)
    })

    it('are asked for by a store that may not migrate', async () => {
      const database = await create()
      await expect(database.open('verify')).rejects.toThrow(
        'lacks these migrations: 1 (first), 2 (rates), 3 (rowids), 4 (continuations). Apply them with: svc migrate up',
      )
    })

    it('refuse a database of a newer version, and one whose history differs', async () => {
      const database = await create()
      await using(database, (schema) => schema.up())
      await database.tamper(`insert into schema_migrations values (999, 'later', 'x', 0)`)
      await expect(database.open('migrate')).rejects.toThrow('migration 999 (later), made by a newer version')
      await database.tamper(`delete from schema_migrations where version = 999`)
      await database.tamper(`update schema_migrations set checksum = 'x' where version = 1`)
      await expect(database.open('migrate')).rejects.toBeInstanceOf(SchemaMismatch)
    })

    it('keep the trail append-only', async () => {
      const database = await create()
      const storage = await database.open('migrate')
      await storage.close()
      await database.tamper(`insert into audit_entries (sequence, text, hashes) values (1, 'a', '')`)
      await expect(database.tamper('delete from audit_entries')).rejects.toThrow('append-only')
      await expect(database.tamper(`update audit_entries set text = 'b'`)).rejects.toThrow('append-only')
      await database.tamper('update audit_entries set text = null')
    })
  })
})
