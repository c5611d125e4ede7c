/** What each command prints as data that asks a running service, run as users run it, against the schema that `svc schema` prints. */
import { createHash } from 'node:crypto'
import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { Command } from 'commander'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { COMMANDS } from '../../src/cli/commands.js'
import { publishedSchemaOf, SCHEMA_NAMES, SCHEMAS, type SchemaName } from '../../src/cli/schema/table.js'
import type { HandlerContext } from '../../src/runtime/index.js'
import { webhook } from '../../src/runtime/events/notify.js'
import { serve } from '../../src/runtime/node.js'
import { capability, input } from '../runtime/fixture/manifest.js'
import { API_KEYS, startFixture } from '../runtime/fixture/service.js'
import { schemaTrouble } from '../schema-trouble.js'
import { svc as command } from './command.js'

const SVC = resolve('bin/svc.cjs')
const AUDITOR = { id: 'aud', sha256: createHash('sha256').update('aud-key').digest('hex'), principal: 'human:aud', roles: ['auditor'] } as const // prettier-ignore
const policy = { allowed_grant_types: ['one_time', 'session_bound'], default_grant_type: 'one_time', expires_in_seconds: 900, max_uses: 3 } as const // prettier-ignore

const start = async () => {
  const fixture = await startFixture({
    clock: Date.now,
    apiKeys: [...API_KEYS, AUDITOR],
    capabilities: {
      search: capability({ inputs: [input('city')], cost: { certainty: 'fixed', financial: { currency: 'EUR', amount: 1 } } }), // prettier-ignore
      plan: capability({ response_modes: ['unary', 'streaming'], output: { type: 'o', fields: [{ name: 'n', type: 'integer' }] } }), // prettier-ignore
      pay: capability({ side_effect: { type: 'irreversible' }, cost: { certainty: 'fixed', financial: { currency: 'EUR', amount: 100 } } }), // prettier-ignore
      book: capability({ inputs: [input('hotel')], side_effect: { type: 'irreversible' }, approval: { required: 'always', grant_policy: policy } }), // prettier-ignore
    },
    handlers: {
      plan: async (_: unknown, { progress }: HandlerContext) => (await progress({ done: 1 }), { n: 7 }),
      pay: () => {
        throw new Error('The wire broke.')
      },
    },
    notify: [webhook({ name: 'ops', url: 'http://127.0.0.1:1/', secret: `whsec_${'ABCDEFGH'.repeat(4)}`, events: ['approval.requested'] })], // prettier-ignore
  })
  return { fixture, ...(await serve(fixture.service, { port: 0 })) }
}

let world: Awaited<ReturnType<typeof start>>
let token = ''
const hours = ['--ttl-hours', '1'] as const
beforeAll(async () => {
  world = await start()
  token = await issued()
})
afterAll(() => world.close())

const issued = async () =>
  (await world.fixture.root({ budget: { currency: 'EUR', max_amount: 500, mode: 'cumulative' }, subject: 'agent:p' }))
    .token

const environment = (credential: string) => {
  const { SVC_TOKEN_FILE: _, ...env } = process.env
  return { ...env, SVC_URL: world.url, SVC_TOKEN: credential }
}

const svc = async (credential: string, ...args: readonly string[]): Promise<string> => {
  const { stdout, stderr } = await command(args, { env: environment(credential) })
  return stdout === '' ? stderr : stdout
}

type Data = { readonly [name: string]: Data } & readonly Data[] & string

/** The schema as it is published, in which no object may have a member that it does not name. */
const closedSchemas = new Map<SchemaName, object>()
async function closedSchemaOf(name: SchemaName): Promise<object> {
  const known = closedSchemas.get(name) ?? (JSON.parse(await svc('', 'schema', name)) as object)
  expect(known).toEqual(await publishedSchemaOf(name))
  closedSchemas.set(name, known)
  return JSON.parse(JSON.stringify(known), (_, value: { properties?: object; additionalProperties?: boolean }) =>
    typeof value === 'object' && value?.properties !== undefined && typeof value.properties === 'object'
      ? { ...value, additionalProperties: false }
      : value,
  ) as object
}

async function judge(name: SchemaName, value: object): Promise<void> {
  expect(schemaTrouble(await closedSchemaOf(name), value), JSON.stringify(value)).toEqual([])
}

/** What a command prints, which is as the schema says. */
async function answer(name: SchemaName, credential: string, ...args: readonly string[]): Promise<Data> {
  const out = await svc(credential, ...args)
  const value = JSON.parse(out) as Data
  expect(value['failure'], out).toBeUndefined()
  await judge(name, value)
  return value
}

/** The lines that a command prints until it ends, or until there are so many. */
async function lines(name: SchemaName, credential: string, most: number, ...args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [SVC, ...args], { env: environment(credential) })
  let out = ''
  await new Promise<void>((done) => {
    child.stdout.on('data', (chunk) => {
      out += String(chunk)
      if (out.split('\n').length > most) child.kill('SIGINT')
    })
    child.on('close', () => done())
  })
  const values = out.trimEnd().split('\n').slice(0, most).map((line) => JSON.parse(line) as Data) // prettier-ignore
  expect(values).toHaveLength(most)
  for (const value of values) {
    expect(value['failure'], out).toBeUndefined()
    await judge(name, value)
  }
}

it('of tokens', async () => {
  await answer('token', 'ana-key', 'token', 'issue', '--scope', 'travel.search', '--budget', '5:EUR', '--capability', 'search', '--task', 't-1', ...hours, '--json') // prettier-ignore
  const child = await answer('token', token, 'token', 'delegate', '--scope', 'travel.search', '--subject', 'agent:q', '--json') // prettier-ignore
  await answer('token-claims', child['token']!, 'token', 'inspect')
  await answer('token-tree', 'op-key', 'token', 'tree', '--json')
  await answer('token-revocation', 'ana-key', 'token', 'revoke', child['token_id']!, '--json')
})

it('of calls and what may be called', async () => {
  await answer('outcome', token, 'call', 'search', 'city=Faro', '--task', 't-1', '--json')
  await lines('outcome-line', token, 2, 'call', 'plan', '--stream', '--json')
  await answer('permissions', token, 'permissions', '--json')
  const narrow = (await world.fixture.root({ capability: 'search' })).token
  await answer('permissions', narrow, 'permissions', '--json')
  await answer('checks', token, 'why', 'book', '--json')
})

it('of approvals', async () => {
  const ask = async (hotel: string) =>
    String((await world.fixture.invoke('book', token, { parameters: { hotel } })).body['failure']!['approval_request_id']) // prettier-ignore
  const [one, two, three] = [await ask('Ritz'), await ask('Aurora'), await ask('Bella')]
  await answer('approval-requests', 'bob-key', 'approvals', 'list', '--json')
  await answer('approval-request', 'bob-key', 'approvals', 'show', one, '--json')
  await answer('approval-request', token, 'approvals', 'show', one, '--json')
  await lines('approval-request', 'bob-key', 3, 'approvals', 'watch', '--json')
  const { grant_id } = await answer('approval-grant', 'bob-key', 'approvals', 'approve', one, '--reason', 'Yes', '--json') // prettier-ignore
  await answer('approval-request', 'bob-key', 'approvals', 'deny', two, '--reason', 'No', '--json')
  await answer('approval-request', token, 'approvals', 'withdraw', three, '--json')
  await answer('approval-requests', 'bob-key', 'approvals', 'list', '--status', 'all', '--json')
  await answer('grant-revocation', 'op-key', 'operate', 'revoke-grant', grant_id!, '--reason', 'Wrong', '--json')
})

it('of operators', async () => {
  const { token: of } = await world.fixture.issued('eve-key', { scope: ['travel.search'] })
  expect(of).toBeDefined()
  await answer('tokens', 'op-key', 'operate', 'tokens', '--json')
  const { block } = await answer('tokens-revocation', 'op-key', 'operate', 'end', '--api-key', 'eve', '--reason', 'r', '--json') // prettier-ignore
  await answer('blocks', 'op-key', 'operate', 'blocks', '--json')
  await answer('block', 'op-key', 'operate', 'lift', block!['block_id']!, '--json')
  await answer('paused-capabilities', 'op-key', 'operate', 'pause', 'search', '--reason', 'r', '--json')
  await answer('paused-capabilities', 'op-key', 'operate', 'paused', '--json')
  await answer('paused-capabilities', 'op-key', 'operate', 'resume', 'search', '--reason', 'r', '--json')
  const { invocation_id } = (await world.fixture.invoke('pay', token)).body
  await answer('invocation-resolution', 'op-key', 'invocations', 'resolve', invocation_id!, '--happened', '1', '--reason', 'r', '--json') // prettier-ignore
})

it('of accounts that people have connected', async () => {
  const mail = { connection_id: 'con_1', person: 'human:ana', upstream: 'mail', revision: 1, account: 'ana@mail.example', scopes: ['read'], issuer: 'https://mail.example', connected_at: Date.now() } as const // prettier-ignore
  await world.fixture.storage.connections.put(mail)
  await answer('connections', 'ana-key', 'connections', 'list', '--json')
  await answer('connections', 'op-key', 'connections', 'list', '--all', '--json')
  await answer('connection', 'ana-key', 'connections', 'disconnect', 'con_1', '--json')
})

it('of events and of the trail', async () => {
  const { events } = await answer('events', 'op-key', 'events', 'list', '--json')
  const id = events![0]!['event_id']!
  await answer('event-resending', 'op-key', 'events', 'resend', id, '--reason', 'r', '--json')
  const page = await answer('audit-page', 'aud-key', 'audit', 'list', '--json')
  const entries = page['entries'] as unknown as readonly Data[]
  const kinds = new Set(entries.map((entry) => entry['entry_type']))
  expect([...kinds].toSorted()).toEqual(['approval_denied', 'approval_granted', 'approval_requested', 'approval_withdrawn', 'grant_revoked', 'invocation', 'operator_action', 'token_issued', 'token_revoked']) // prettier-ignore
  const { invocation_id } = entries.find((entry) => entry['entry_type'] === 'invocation')!
  await answer('audit-entry', 'aud-key', 'audit', 'show', invocation_id!, '--json')
  await answer('audit-lineage', 'aud-key', 'audit', 'show', invocation_id!, '--lineage', '--json')
  await answer('audit-page', token, 'audit', 'list', '--failed', '--json')
  await lines('audit-entry', token, 5, 'audit', 'tail', '--json')
})

it.each<[SchemaName, string, string, readonly string[]]>([
  ['token', 'ana-key', 'scope_escalation', ['token', 'issue', '--scope', 'role:operator']],
  ['outcome', 'ana-key', 'invalid_token', ['call', 'search', 'city=Faro']],
  ['blocks', 'ana-key', 'insufficient_authority', ['operate', 'blocks']],
  ['approval-grant', 'bob-key', 'approval_request_not_found', ['approvals', 'approve', 'apr_x']],
  ['audit-page', 'op-key', 'insufficient_authority', ['audit', 'list']],
])('or why it refused: %s', async (name, credential, type, args) => {
  const value = JSON.parse(await svc(credential, ...args, '--json')) as Data
  expect(value['failure']!['type']).toBe(type)
  await judge(name, value)
})

it('has a schema for each command that takes --json', () => {
  const program = new Command('svc')
  for (const register of COMMANDS) register(program)
  const named = new Set(SCHEMA_NAMES.flatMap((name) => SCHEMAS[name].of.split(', ')))
  const printing = commandsIn(program, '').filter(([, command]) => command.options.some(({ long }) => long === '--json')) // prettier-ignore
  const missing = printing.filter(([name]) => ![...named].some((each) => each.startsWith(`${name} `)))
  expect(missing.map(([name]) => name)).toEqual([])
})

const commandsIn = (command: Command, above: string): readonly (readonly [string, Command])[] => {
  const name = `${above}${command.name()}`
  return [[name, command], ...command.commands.flatMap((each) => commandsIn(each, `${name} `))]
}
