/** Both stores, each with somebody else who writes to the database beneath. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import pg from 'pg'
import { afterAll, beforeAll } from 'vitest'
import type { Storage } from '../../src/runtime/storage/contract.js'
import { openPostgres } from '../../src/runtime/storage/postgres/index.js'
import { openSqlite } from '../../src/runtime/storage/sqlite/index.js'
import { startPostgres, type PostgresServer } from '../runtime/storage/postgres-server.js'

export interface Subject {
  readonly open: (clock?: () => number) => Promise<Storage>
  /** Runs what a writer of the database runs. */
  readonly force: (sql: string) => Promise<void>
  /** Runs what its owner runs first, where a trigger is in the way. */
  readonly unguard: (trigger: string, table: string) => Promise<void>
}

/** Starts a PostgreSQL server for the tests of a file; gives makers of new databases, and of files of SQLite. */
export function storesWithAWriter() {
  let server: PostgresServer
  let folder = ''
  let made = 0
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'svc-writer-'))
    server = await startPostgres(['fsync=off'])
  }, 60_000)
  afterAll(async () => {
    await server.stop()
    rmSync(folder, { recursive: true })
  })
  const newFile = () => join(folder, `${++made}.db`)

  const sqlite = async (): Promise<Subject> => {
    const file = newFile()
    const force = async (sql: string) => {
      const driver = new Database(file)
      driver.exec(sql)
      driver.close()
    }
    const open = (clock?: () => number) => openSqlite({ file, ...(clock && { clock }) })
    return { open, force, unguard: (trigger) => force(`drop trigger ${trigger}`) }
  }

  const postgres = async (): Promise<Subject> => {
    const connectionString = await server.database(`written_${++made}`)
    const force = async (sql: string) => {
      const client = new pg.Client({ connectionString })
      await client.connect()
      await client.query(sql).finally(() => client.end())
    }
    const unguard = (trigger: string, table: string) => force(`drop trigger ${trigger} on ${table}`)
    return { open: () => openPostgres({ connectionString, schema: 'migrate' }), force, unguard }
  }

  return { sqlite, postgres, newFile }
}
