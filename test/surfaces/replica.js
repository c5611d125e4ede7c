/** One replica of a service behind MCP, as a process of its own, from the built package. It prints its address. */
import { createHash } from 'node:crypto'
import { createService, inputValue, outputFields } from '../../dist/runtime/index.js'
import { readKeyRing, serve } from '../../dist/runtime/node.js'
import { mcp } from '../../dist/runtime/surfaces/mcp/index.js'

const { storage, keys } = JSON.parse(process.argv[2])

const policy = {
  allowed_grant_types: ['one_time'],
  default_grant_type: 'one_time',
  expires_in_seconds: 900,
  max_uses: 1,
}
const book = {
  description: 'Books a hotel.',
  contract_version: '1.0.0',
  inputs: [{ name: 'hotel', type: 'string', required: true }],
  output: { type: 'object', fields: [{ name: 'booked', type: 'string' }] },
  side_effect: { type: 'irreversible' },
  minimum_scope: ['travel.book'],
  kind: 'atomic',
  response_modes: ['unary'],
  approval: { required: 'always', grant_policy: policy },
}
const manifest = {
  manifest_metadata: { version: '0.24.0' },
  service_identity: { id: 'replicas' },
  trust: { level: 'anchored', anchoring: { cadence: 'hourly' } },
  limits: { max_delegation_depth: 3, default_ttl_hours: 2, max_ttl_hours: 24 },
  approvals: { request_ttl: 'PT1H', denial_holds: 'PT10M', allow_agents: false, separation_of_duties: true, approver_scope: 'approver:book' },
  capabilities: { book },
} // prettier-ignore

const open = async () =>
  storage.file === undefined
    ? (await import('../../dist/runtime/storage/postgres/index.js')).openPostgres({ connectionString: storage.url, schema: 'migrate' })
    : (await import('../../dist/runtime/storage/sqlite/index.js')).openSqlite(storage) // prettier-ignore

const apiKey = (key, rest) => ({ id: key, sha256: createHash('sha256').update(key).digest('hex'), ...rest })

const service = await createService({
  definition: {
    manifest,
    validators: { book: { input: { hotel: inputValue('string') }, output: outputFields({ booked: 'string' }) } },
  },
  implementation: { handlers: { book: ({ hotel }) => ({ booked: `${hotel} by ${process.pid}` }) } },
  storage: await open(),
  keys: await readKeyRing(keys),
  apiKeys: [
    apiKey('ana-key', { principal: 'human:ana' }),
    apiKey('bob-key', { principal: 'human:bob', scopes: ['approver:book'] }),
  ],
  limits: { shutdownMs: 100 },
})
const options = { approvalUrl: (id) => `https://approve.example/${id}` }
const { url, close } = await serve(service, { port: 0, surfaces: [mcp(options)] })
process.once('SIGTERM', () => close().then(() => process.exit(0)))
process.stdout.write(`${url} ${process.pid}\n`)
