import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Client } from '../../examples/postgres/generated/client.js'
import { start, type Example } from '../../examples/start.js'
import { startPostgres, type PostgresServer } from '../runtime/storage/postgres-server.js'

let server: PostgresServer
let replicas: readonly Example[] = []

beforeAll(async () => {
  server = await startPostgres()
  const SVC_DATABASE = await server.database('stock')
  const first = await start('postgres', { SVC_DATABASE })
  replicas = [first, await start('postgres', { SVC_DATABASE, ...secretsOf(first) })]
}, 120_000)
afterAll(async () => {
  for (const replica of replicas) await replica.stop()
  await server.stop()
})

/** All replicas have the same keys and know the same callers. */
const secretsOf = ({ folder }: Example) => ({
  SVC_KEYS: `${folder}/keys`,
  SVC_API_KEYS: `${folder}/api-keys.json`,
})

it('lets one of two replicas have the last lamp, and both know it', async () => {
  const [credential = ''] = replicas.map(({ credentials }) => credentials['SVC_DEVELOPER_KEY'] ?? '')
  const boot: Client = replicas[0]!.createClient({ baseUrl: replicas[0]!.url, credential })
  const issued = await boot.delegate({ scope: ['stock.read', 'stock.reserve'] })
  if (!issued.success) throw new Error(issued.failure.detail)
  const clients = replicas.map(({ url, createClient }): Client =>
    createClient({ baseUrl: url, credential: issued.token.token }),
  )
  const outcomes = await Promise.all(clients.map((client) => client.reserveItem({ item: 'lamp' })))
  expect(outcomes.map((outcome) => (outcome.success ? 'reserved' : outcome.failure.type)).sort()).toEqual([
    'out_of_stock',
    'reserved',
  ])
  for (const client of clients) {
    expect(await client.readStock({ item: 'lamp' })).toMatchObject({ result: { left: 0 } })
    const trail = await client.audit({ capability: 'reserve_item' })
    expect(trail.success && trail.result.entries.length).toBe(2)
  }
})
