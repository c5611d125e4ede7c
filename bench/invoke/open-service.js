/** A service with one read capability on a SQLite file, as a user's would be, or on PostgreSQL (BENCH_POSTGRES). */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { generateRing } from '../../dist/crypto/keys/key-ring.js'
import { createService, inputValue, outputFields } from '../../dist/runtime/index.js'
import { openSqlite } from '../../dist/runtime/storage/sqlite/index.js'

const manifest = {
  manifest_metadata: { version: '0.24.0' },
  service_identity: { id: 'bench' },
  trust: { level: 'signed' },
  limits: { max_delegation_depth: 3, default_ttl_hours: 2, max_ttl_hours: 24 },
  approvals: { request_ttl: 'PT24H', denial_holds: 'PT10M', allow_agents: false, separation_of_duties: true },
  capabilities: {
    search: {
      description: 'Search.',
      contract_version: '1.0.0',
      inputs: [{ name: 'city', type: 'string', required: true }],
      output: { type: 'offers', fields: [{ name: 'offers', type: 'array' }] },
      side_effect: { type: 'read' },
      minimum_scope: ['travel.search'],
      kind: 'atomic',
      response_modes: ['unary'],
      observability: { fields_logged: ['city'] },
    },
  },
}

const quiet = { debug() {}, info() {}, warn() {}, error: console.error }

const openPostgres = async () =>
  (await import('../../dist/runtime/storage/postgres/index.js')).openPostgres({
    connectionString: process.env.BENCH_POSTGRES,
    schema: 'migrate',
  })

export async function openService(folder, { limits = {}, kind = 'service' } = {}) {
  const storage = await (kind === 'postgres' ? openPostgres() : openSqlite({ file: join(folder, 'bench.db') }))
  const sha256 = createHash('sha256').update('bench-key').digest('hex')
  const validators = { search: { input: { city: inputValue('string') }, output: outputFields({ offers: 'array' }) } }
  const service = await createService({
    definition: { manifest, validators },
    implementation: { handlers: { search: () => ({ offers: ['hotel'] }) } },
    storage,
    keys: generateRing(),
    apiKeys: [{ id: 'bench', principal: 'human:bench', sha256 }],
    log: quiet,
    limits: { invocationsPerMinute: 1e9, tokensPerMinute: 1e9, mcpMessagesPerMinute: 1e9, ...limits },
  })
  return { service, storage }
}
