/** The contract of a store, on PostgreSQL whose entries are in partitions, which begin and end while it runs. */
import { setTimeout as sleep } from 'node:timers/promises'
import { openPostgres, openPostgresPartitions } from '../../src/runtime/storage/postgres/index.js'
import { describeStorage, type Harness } from '../runtime/storage/contract.js'
import { startPostgres } from '../runtime/storage/postgres-server.js'

async function open(): Promise<Harness> {
  const server = await startPostgres(['fsync=off'])
  const connectionString = await server.database('service')
  const storage = await openPostgres({ connectionString, schema: 'migrate' })
  const replica = await openPostgres({ connectionString })
  const partitions = await openPostgresPartitions({ connectionString })
  const stopped = new AbortController()
  const extending = (async () => {
    while (!stopped.signal.aborted) {
      await partitions.extend(100)
      await sleep(100)
    }
  })()
  return {
    storage,
    replica,
    pass: async (ms) => {
      await sleep(ms)
    },
    close: async () => {
      stopped.abort()
      await extending
      await Promise.all([storage, replica, partitions].map((each) => each.close()))
      await server.stop()
    },
  }
}

describeStorage('PostgreSQL, entries in partitions', open)
