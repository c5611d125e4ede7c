/** A service with a capability of each kind of call, on SQLite or PostgreSQL (BENCH_POSTGRES). Talks to its parent. */
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateRing } from '../../dist/crypto/keys/key-ring.js'
import { createService, inputValue, outputFields } from '../../dist/runtime/index.js'
import { serve } from '../../dist/runtime/node.js'
import { attend } from '../attend.js'

const capability = (differences) => ({
  description: 'Does something.',
  contract_version: '1.0.0',
  inputs: [{ name: 'city', type: 'string', required: true }],
  output: { type: 'offers', fields: [{ name: 'offers', type: 'array' }] },
  side_effect: { type: 'read' },
  minimum_scope: ['travel.search'],
  kind: 'atomic',
  response_modes: ['unary'],
  observability: { fields_logged: ['city'] },
  ...differences,
})

const write = { side_effect: { type: 'write' }, minimum_scope: ['travel.book'] }
const STEPS = ['first', 'second', 'third']
const composition = {
  authority_boundary: 'same_service',
  steps: STEPS.map((id) => ({ id, capability: 'search' })),
  input_mapping: Object.fromEntries(STEPS.map((id) => [id, { city: '$.input.city' }])),
  output_mapping: { offers: '$.steps.third.output.offers' },
  failure_policy: {
    child_clarification: 'propagate',
    child_denial: 'propagate',
    child_approval_required: 'propagate',
    child_error: 'fail_parent',
  },
  audit_policy: { record_child_invocations: true, parent_task_lineage: true },
}

const capabilities = {
  search: capability(),
  note: capability(write),
  pay: capability({ ...write, cost: { certainty: 'fixed', financial: { currency: 'EUR', amount: 0.01 } } }),
  tour: capability({ kind: 'composed', composition }),
}

const manifest = {
  manifest_metadata: { version: '0.24.0' },
  service_identity: { id: 'bench' },
  trust: { level: 'signed' },
  limits: { max_delegation_depth: 3, default_ttl_hours: 2, max_ttl_hours: 24 },
  approvals: { request_ttl: 'PT24H', denial_holds: 'PT10M', allow_agents: false, separation_of_duties: true },
  capabilities,
}

const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'))
const open = {
  sqlite: async () =>
    (await import('../../dist/runtime/storage/sqlite/index.js')).openSqlite({ file: join(folder, 'bench.db') }),
  postgres: async () =>
    (await import('../../dist/runtime/storage/postgres/index.js')).openPostgres({
      connectionString: process.env.BENCH_POSTGRES,
      schema: 'migrate',
    }),
}
const offers = () => ({ offers: ['hotel'] })
const validators = { input: { city: inputValue('string') }, output: outputFields({ offers: 'array' }) }
const service = await createService({
  definition: {
    manifest,
    validators: Object.fromEntries(Object.keys(capabilities).map((name) => [name, validators])),
  },
  implementation: { handlers: { search: offers, note: offers, pay: offers } },
  storage: await open[process.argv[2]](),
  keys: generateRing(),
  apiKeys: [{ id: 'bench', principal: 'human:bench', sha256: createHash('sha256').update('bench-key').digest('hex') }],
  log: { debug() {}, info() {}, warn() {}, error: console.error },
  limits: { invocationsPerMinute: 1e9, tokensPerMinute: 1e9 },
})
const { url } = await serve(service, { port: 0 })
attend(url, () => rmSync(folder, { recursive: true, force: true }))
