import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { openPostgres } from '../../../src/runtime/storage/postgres/index.js'
import { describeStorage, type Harness } from './contract.js'
import { startPostgres } from './postgres-server.js'

async function open(): Promise<Harness> {
  const server = await startPostgres(['fsync=off'])
  const connectionString = await server.database('service')
  const storage = await openPostgres({ connectionString, schema: 'migrate' })
  await grantToServer(connectionString)
  const replica = await openPostgres({ connectionString: connectionString.replace('postgres@', 'svc_server@') })
  return {
    storage,
    replica,
    pass: async (ms) => {
      await sleep(ms)
    },
    close: async () => {
      await storage.close()
      await replica.close()
      await server.stop()
    },
  }
}

/** The replica has the rights that docs/guides/storage.md gives to a server, and no others. */
async function grantToServer(connectionString: string): Promise<void> {
  const guide = await readFile('docs/guides/storage.md', 'utf8')
  const rights = /```sql\n([\s\S]*?)```/u.exec(guide)?.[1]
  const client = new pg.Client({ connectionString })
  await client.connect()
  await client.query('create role svc_server login')
  await client.query(rights!)
  await client.end()
}

describeStorage('PostgreSQL', open)
