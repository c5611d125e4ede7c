import { setTimeout as sleep } from 'node:timers/promises'
import { openPostgres } from '../../../src/runtime/storage/postgres/index.js'
import { describeStorage, type Harness } from './contract.js'
import { startPostgres } from './postgres-server.js'

async function open(): Promise<Harness> {
  const server = await startPostgres(['fsync=off'])
  const connectionString = await server.database('service')
  const storage = await openPostgres({ connectionString, schema: 'migrate' })
  const replica = await openPostgres({ connectionString })
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

describeStorage('PostgreSQL', open)
