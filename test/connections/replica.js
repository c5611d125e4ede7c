/** One replica of a service whose agents read mailboxes of their people, as a process of its own, from the built package. */
import { createHash } from 'node:crypto'
import { webConsole } from '../../dist/console/index.js'
import { createService, outputFields } from '../../dist/runtime/index.js'
import { readKeyRing, serve } from '../../dist/runtime/node.js'
import { openPostgres } from '../../dist/runtime/storage/postgres/index.js'
import { httpUpstream } from '../../dist/runtime/upstream/index.js'

const { keys, database, issuer } = JSON.parse(process.argv[2])

const read_mail = {
  description: 'Reads the mailbox of a person.',
  contract_version: '1.0.0',
  inputs: [],
  output: { type: 'mail', fields: [{ name: 'account', type: 'string' }] },
  side_effect: { type: 'read' },
  minimum_scope: ['mail'],
  kind: 'atomic',
  response_modes: ['unary'],
  extensions: {
    'x-upstream': { connection: 'mail' },
    'x-failures': { unsafe_parameter: 'No.', upstream_refused: 'No.', upstream_unavailable: 'No.' },
  },
}
const connection = { issuer, clientId: 'svc-public', scopes: ['openid', 'email', 'mail.read'] }
const mail = httpUpstream('mail', () => ({
  url: issuer,
  credential: { in: 'header', name: 'Authorization', scheme: 'Bearer', value: '', connection },
}))
const operation = { method: 'GET', path: '/mail/me', inputs: {}, output: { members: ['account'] } }
const person = (name) => ({
  id: name,
  sha256: createHash('sha256').update(`${name}-key`).digest('hex'),
  principal: `human:${name}`,
  scopes: ['mail'],
})

const service = await createService({
  definition: {
    manifest: {
      manifest_metadata: { version: '0.24.0' },
      service_identity: { id: 'mailers' },
      trust: { level: 'signed' },
      limits: { max_delegation_depth: 3, default_ttl_hours: 2, max_ttl_hours: 24 },
      approvals: { request_ttl: 'PT1H', denial_holds: 'PT10M', allow_agents: false, separation_of_duties: true },
      capabilities: { read_mail },
    },
    validators: { read_mail: { input: {}, output: outputFields({}) } },
  },
  implementation: { handlers: { read_mail: (input, context) => mail.call(operation, input, context) } },
  storage: await openPostgres({ connectionString: database, schema: 'migrate' }),
  keys: await readKeyRing(keys),
  apiKeys: [person('ana'), person('bob')],
})
const { url } = await serve(service, { port: 0, surfaces: [webConsole({ development: true })] })
process.stdout.write(`${url}\n`)
