/**
 * A writer of the database (N31): a service at work, what is done to each column of each table, and what may come of it.
 * Tables and columns are read from the database that the program's own migrations made.
 */
import { createHash } from 'node:crypto'
import { deliverDue } from '../../src/runtime/events/dispatch.js'
import type { NotifyTarget } from '../../src/runtime/events/targets/target.js'
import type { Principal } from '../../src/protocol/principals.js'
import { actionDraft } from '../../src/runtime/operate/record-action.js'
import { makeCheckpoint } from '../../src/runtime/checkpoints/make.js'
import type { Storage } from '../../src/runtime/storage/contract.js'
import { capability, input } from '../runtime/fixture/manifest.js'
import { KEYS as RING, startFixture, type Fixture } from '../runtime/fixture/service.js'
import { draft } from '../runtime/storage/examples.js'
import type { Column, Copy, Engine, Schema } from './written-stores.js'

export const NOW = Date.parse('2026-03-01T12:00:00.000Z')
const financial = { currency: 'EUR', amount: 5 } as const
const grant_policy = { allowed_grant_types: ['one_time'], default_grant_type: 'one_time', expires_in_seconds: 3600, max_uses: 1 } as const // prettier-ignore
const gated = (approvers: number) =>
  capability({
    inputs: [{ ...input('amount'), type: 'integer' }],
    side_effect: { type: 'irreversible' },
    approval: { required: 'always', grant_policy, ...(approvers > 1 && { approvers }) },
  })
const capabilities = {
  search: capability(),
  look: capability(),
  act: capability({ cost: { certainty: 'fixed', financial }, side_effect: { type: 'write' } }),
  lose: capability({ cost: { certainty: 'fixed', financial }, side_effect: { type: 'write' } }),
  book: gated(1),
  trip: gated(2),
}

/** A service on a store, with its effects and the events that it has sent. */
export async function serve(storage: Storage, plant: Plant = () => undefined) {
  const [effects, sent]: [string[], string[]] = [[], []]
  const target: NotifyTarget = {
    name: 'ops',
    events: ['approval.requested', 'approval.decided'],
    problems: [],
    deliver: async ({ body }) => (sent.push(body), { ok: true }),
  }
  const effect = (name: string) => ({ amount }: { amount?: number }) => (effects.push(`${name} ${amount ?? ''}`.trim()), {}) // prettier-ignore
  const handlers = { act: effect('act'), book: effect('book'), trip: effect('trip'), lose: () => Promise.reject(new Error('broken')) } as never // prettier-ignore
  const fixture = await startFixture({ capabilities, handlers, storage, notify: [target], apiKeys: KEYS })
  plant(fixture.service, storage)
  return { ...fixture, effects, sent, deliver: () => deliverDue(fixture.service, target), close: () => storage.close() }
}
/** What is broken on purpose, given the service and the store beneath it. */
export type Plant = (service: Fixture['service'], beneath: Storage) => void
type Served = Awaited<ReturnType<typeof serve>>

const key = (id: string, rest: object) => ({ id, principal: `human:${id}` as const, sha256: sha(`${id}-key`), ...rest })
const KEYS = [
  key('ana', {}),
  key('eve', {}),
  key('bob', { scopes: ['approver:book', 'approver:trip'] }),
  key('carl', { scopes: ['approver:trip'] }),
  key('op', { roles: ['operator'] }),
]

function sha(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** What the service has done before the attack, as far as the attack is about it. */
export interface Facts {
  readonly pending: Asked
  readonly several: Asked
  readonly denied: Asked
  readonly withdrawn: Asked
  readonly granted: Asked & { readonly grant: string }
  readonly spent: Asked & { readonly grant: string }
  readonly taken: Asked & { readonly grant: string }
  readonly revoked: string
  readonly budget: string
  readonly live: string
  readonly unknown: string
  readonly invoked: string
}
interface Asked {
  readonly id: string
  readonly token: string
}

const ACCOUNT = { issuer: 'https://idp.example', subject: '7' }
const SESSION = 'b'.repeat(64)
const scope = ['travel.search']

/**
 * Makes a database with rows in every table that carries a decision. `remember` keeps the rows of each table before
 * anything was taken away, for somebody who puts them back.
 */
export async function prepare(store: Storage, remember: () => Promise<void>): Promise<Facts> {
  const on = await serve(store)
  const { root, invoke, post, storage, service, issued } = on
  const ask = async (name: string, amount: number): Promise<Asked> => {
    const { token } = await root({ subject: 'agent:planner' })
    const { body } = await invoke(name, token, { parameters: { amount } })
    return { id: String(body['failure']!['approval_request_id']), token }
  }
  const approve = async (asked: Asked, by: string) =>
    ({ ...asked, grant: String((await post('/svc/approval_grants', by, { approval_request_id: asked.id })).body['grant_id']) }) // prettier-ignore
  const several = await ask('trip', 9)
  await approve(several, 'bob-key')
  const denied = await ask('book', 1)
  const withdrawn = await ask('book', 2)
  const granted = await approve(await ask('book', 3), 'bob-key')
  const spent = await approve(await ask('book', 4), 'bob-key')
  const taken = await approve(await ask('book', 5), 'bob-key')
  const revoked = await root()
  const budget = await root({ budget: { currency: 'EUR', max_amount: 14, mode: 'cumulative' } })
  for (const person of ['human:ana', 'human:eve', 'human:bob', 'human:carl'] as const) await connect(on, person)
  await remember()
  await post(`/svc/approval_requests/${denied.id}/deny`, 'bob-key', { reason: 'No.' })
  await post(`/svc/approval_requests/${withdrawn.id}/withdraw`, withdrawn.token)
  await invoke('book', spent.token, { parameters: { amount: 4 }, approval_grant: spent.grant })
  await post(`/-/approval_grants/${taken.grant}/revoke`, 'op-key', { reason: 'Wrong.' })
  await post('/svc/tokens/revoke', 'ana-key', { token_id: revoked.token_id })
  await post('/-/connections/con_bob/disconnect', 'bob-key')
  await connect(on, 'human:carl', 'con_carl2')
  await invoke('act', budget.token)
  const unknown = await invoke('lose', budget.token)
  const unknownId = String(unknown.body['invocation_id'])
  await post(`/-/invocations/${unknownId}/resolve`, 'op-key', { happened: true, reason: 'Asked.' })
  await invoke('lose', (await root({ budget: { currency: 'EUR', max_amount: 5, mode: 'cumulative' } })).token)
  const live = await root()
  const child = await issued(live.token, { parent_token: live.token_id, subject: 'agent:a', scope })
  const invoked = await invoke('look', child.token, { parameters: {} }, { 'idempotency-key': 'k1' })
  await post('/-/tokens/revoke', 'op-key', { principal: 'human:eve', reason: 'Stolen.' })
  await post('/-/tokens/revoke', 'op-key', { subject: 'agent:bad', reason: 'Stolen.' })
  for (const name of ['search', 'lose']) await post(`/-/capabilities/${name}/pause`, 'op-key', { reason: 'Down.' })
  for (const hash of [SESSION, 'c'.repeat(64)])
    await storage.sessions.begin({ hash, principal: 'human:ana', credential: ACCOUNT, scopes: [] }, 9e9, 9e9)
  for (const principal of ['human:ana', 'oidc:7'] as const) {
    await storage.accounts.remember(ACCOUNT, principal)
    const entry = {
      entry_type: 'token_issued',
      actor_key: principal,
      credential: ACCOUNT,
      invocation_id: null,
    } as const
    await service.record({
      draft: draft({ ...entry, delegation_chain: ['tok_1'], timestamp: new Date(NOW).toISOString() }),
    })
  }
  for (const [nth, amount] of [90, 80].entries())
    await storage.bindings.insert({ binding_id: `bnd_${nth}`, type: 'quote', capability: 'look', root_principal: 'human:ana', issued_at: NOW, expires_at: NOW + 9e9, price: { currency: 'EUR', amount } }) // prettier-ignore
  await storage.secret('shared', 'first')
  await storage.secret('other', 'second')
  await storage.intents.record({ invocation_id: 'inv-00000000abcd', owner: service.owner, draft: draft({ invocation_id: 'inv-00000000abcd' }), started_at: NOW }) // prettier-ignore
  const audit = RING.keys.find(({ role }) => role === 'audit')!
  for (const id of ['ckp_1', 'ckp_2']) {
    await service.record({ draft: draft({ invocation_id: null, timestamp: new Date(NOW).toISOString() }) })
    await makeCheckpoint({
      storage,
      signer: () => audit.signer!,
      keys: () => [audit],
      clock: () => NOW,
      newId: () => id,
    })
  }
  const pending = await ask('book', 230)
  await on.close()
  const facts = {
    pending,
    several,
    denied,
    withdrawn,
    granted,
    spent,
    taken,
    revoked: revoked.token,
    budget: budget.token,
  }
  return { ...facts, live: child.token, unknown: unknownId, invoked: JSON.stringify(invoked.body['result']) }
}

async function connect({ service }: Pick<Served, 'service'>, person: Principal, id = `con_${person.slice(6)}`) {
  const { storage } = service
  await storage.connections.put({ connection_id: id, person, upstream: 'mail', revision: 1, account: person, scopes: ['read'], issuer: 'https://mail.example', connected_at: NOW, sealed: person }) // prettier-ignore
  const made = { name: 'connection_made', target: { upstream: 'mail', connection_id: id } } as const
  // Soon after an entry its row may not have taken the place of the former one yet.
  const timestamp = new Date(NOW - 120_000).toISOString()
  await service.record({
    draft: { ...actionDraft(service, { principal: person }, made), root_principal: person, timestamp },
  })
}

/** What somebody tries after the attack, and what may come of it: the right outcome first, then those that give less. */
interface Probe {
  readonly name: string
  readonly outcome: (on: Served, facts: Facts) => Promise<unknown>
  readonly allowed: readonly (string | RegExp)[]
}

const status = async (reply: Promise<{ readonly status: number }>): Promise<number> => (await reply).status
const approving = ({ post }: Fixture, id: string, by = 'bob-key') =>
  status(post('/svc/approval_grants', by, { approval_request_id: id }))
const REFUSED = /^[45]\d\d$/u

export const PROBES: readonly Probe[] = [
  { name: 'the blocked principal buys', outcome: (on) => status(on.post('/svc/tokens', 'eve-key', { scope })), allowed: [REFUSED] },
  { name: 'the blocked subject is named', outcome: (on) => status(on.post('/svc/tokens', 'ana-key', { scope, subject: 'agent:bad' })), allowed: [REFUSED] },
  { name: 'the paused capability is called', outcome: (on, { live }) => status(on.invoke('search', live)), allowed: [REFUSED] },
  { name: 'the live token is used', outcome: (on, { live }) => status(on.invoke('look', live)), allowed: ['200', REFUSED] },
  { name: 'the revoked token is used', outcome: (on, { revoked }) => status(on.invoke('look', revoked)), allowed: [REFUSED] },
  { name: 'more is spent than the budget has', outcome: (on, { budget }) => status(on.invoke('act', budget)), allowed: [REFUSED] },
  { name: 'the approver reads what was asked', outcome: async (on, { pending }) => {
    const { status: code, body } = await on.call('GET', `/svc/approval_requests/${pending.id}`, { bearer: 'bob-key' })
    return code === 200 ? `200 ${JSON.stringify(body['requested_parameters'])} ${String(body['requester']!['root_principal'])}` : code
  }, allowed: ['200 {"amount":230} human:ana', REFUSED] },
  { name: 'the denied request is approved', outcome: (on, { denied }) => approving(on, denied.id), allowed: [REFUSED] },
  { name: 'the withdrawn request is approved', outcome: (on, { withdrawn }) => approving(on, withdrawn.id), allowed: [REFUSED] },
  { name: 'the denied call is made again', outcome: async (on, { denied }) => {
    const { body } = await on.invoke('book', denied.token, { parameters: { amount: 1 } })
    const { type, approval_request_id, decision } = body['failure']!
    return String(approval_request_id) === denied.id ? `${type} ${decision!['status']} ${decision!['reason']}` : type
  }, allowed: ['approval_denied denied No.', 'approval_denied denied null', /^(?!approval_required)\w+$/u] },
  { name: 'the same person approves twice of two', outcome: (on, { several }) => approving(on, several.id), allowed: ['202', REFUSED] },
  { name: 'the other person approves', outcome: (on, { several }) => approving(on, several.id, 'carl-key'), allowed: ['200', '202', REFUSED] },
  { name: 'the grant is used by another call', outcome: (on, { granted }) => status(on.invoke('book', granted.token, { parameters: { amount: 99 }, approval_grant: granted.grant })), allowed: [REFUSED] },
  { name: 'the grant is used', outcome: (on, { granted }) => status(on.invoke('book', granted.token, { parameters: { amount: 3 }, approval_grant: granted.grant })), allowed: ['200', REFUSED] },
  { name: 'the spent grant is used', outcome: (on, { spent }) => status(on.invoke('book', spent.token, { parameters: { amount: 4 }, approval_grant: spent.grant })), allowed: [REFUSED] },
  { name: 'the grant that was taken back is used', outcome: (on, { taken }) => status(on.invoke('book', taken.token, { parameters: { amount: 5 }, approval_grant: taken.grant })), allowed: [REFUSED] },
  { name: 'the pending request is approved', outcome: (on, { pending }) => approving(on, pending.id), allowed: ['200', REFUSED] },
  { name: 'and its call goes on', outcome: (on, { pending }) => status(on.invoke('book', pending.token, { parameters: { amount: 230 }, approval: 'continue' })), allowed: ['200', REFUSED] },
  { name: 'effects', outcome: async ({ effects }) => effects.join(', '), allowed: ['book 3, book 230', 'book 3', 'book 230', ''] },
  { name: 'the invocation is resolved again', outcome: (on, { unknown }) => status(on.post(`/-/invocations/${unknown}/resolve`, 'op-key', { happened: false, reason: 'No.' })), allowed: [REFUSED] },
  { name: 'a session', outcome: async ({ storage }) => JSON.stringify(await storage.sessions.look(SESSION).then((found) => found && [found.principal, found.scopes, found.roles])), allowed: ['["human:ana",[],null]', 'undefined'] },
  { name: 'a session of somebody else', outcome: async ({ storage }) => storage.sessions.look('a'.repeat(64)), allowed: ['undefined'] },
  { name: 'a connection of a person', outcome: async ({ storage }) => JSON.stringify(await storage.connections.of('human:ana', 'mail').then((kept) => kept && [kept.connection_id, kept.sealed, kept.revision])), allowed: ['["con_ana","human:ana",1]', 'undefined'] },
  { name: 'a connection that has ended', outcome: async ({ storage }) => (await storage.connections.of('human:bob', 'mail'))?.state, allowed: ['ended', 'undefined'] },
  { name: 'a connection that another has replaced', outcome: async ({ storage }) => storage.connections.of('human:carl', 'mail').then((kept) => kept?.connection_id === 'con_carl' ? kept.state : 'none'), allowed: ['none', 'ended'] },
  { name: 'the price of a binding', outcome: async ({ storage }) => (await storage.bindings.get('bnd_0'))?.price?.amount, allowed: ['90', 'undefined'] },
  { name: 'the names of an account', outcome: async ({ storage }) => (await storage.accounts.namesOf(['oidc:7'])).toSorted().join(' '), allowed: [/human:ana.*oidc:7/u] },
  { name: 'a shared secret', outcome: ({ storage }) => storage.secret('shared', 'mine'), allowed: ['first', 'mine'] },
  { name: 'the answer by its key', outcome: async (on, { live, invoked }) => {
    const { body } = await on.invoke('look', live, { parameters: {} }, { 'idempotency-key': 'k1' })
    return body['success'] ? JSON.stringify(body['result']) === invoked : 'refused'
  }, allowed: ['true', 'refused'] },
  { name: 'events', outcome: async (on) => {
    await on.deliver()
    return on.sent.map((body) => JSON.parse(body) as { type: string; data: object }).every(({ type, data }) => type.startsWith('approval.') && !/evil|xhuman/u.test(JSON.stringify(data)))
  }, allowed: ['true'] },
] // prettier-ignore

export interface Attack {
  /** `table.column`, or the table where its rows are deleted. */
  readonly at: string
  readonly how: 'changed' | 'emptied' | 'copied' | 'deleted' | 'returned'
  readonly sql: string
}

/**
 * Everything that is done to a schema: each column changed, emptied, and copied from another row; each table emptied,
 * and made what it was before anything was taken away.
 */
export const attacksOn = (schema: Schema, { changed, emptied, row }: Engine['sql']): readonly Attack[] =>
  [...schema].flatMap(([table, columns]) => [
    { at: table, how: 'deleted' as const, sql: `delete from ${table}` },
    { at: table, how: 'returned' as const, sql: returned(table, columns) },
    ...columns.flatMap((column: Column) => [
      { at: `${table}.${column.name}`, how: 'changed' as const, sql: `update ${table} set ${column.name} = ${changed(column)}` },
      { at: `${table}.${column.name}`, how: 'emptied' as const, sql: `update ${table} set ${column.name} = ${column.isRequired ? emptied(column) : 'null'}` },
      { at: `${table}.${column.name}`, how: 'copied' as const, sql: `update ${table} set ${column.name} = (select other.${column.name} from ${table} other where other.${row} <> ${table}.${row} order by other.${row} desc limit 1) where (select count(*) from ${table}) > 1` },
    ]),
  ]) // prettier-ignore

function returned(table: string, columns: readonly Column[]): string {
  const names = columns.map(({ name }) => name).join(', ')
  return `delete from ${table}; insert into ${table} (${names}) select ${names} from ${EARLIER}${table}`
}

/** Before the names of tables that hold what others held before. */
export const EARLIER = 'earlier_'

export type Verdict = 'refused' | 'noticed' | 'without effect' | `hole: ${string}`

/** What somebody finds who tries all that on a copy of the database that nobody attacked. */
export async function foundIn({ copied, facts }: Prepared): Promise<Found> {
  const copy = await copied()
  const on = await serve(await copy.open())
  return tried(on, facts).finally(() => closed(on, copy))
}

async function closed(on: Served, copy: Copy): Promise<void> {
  await on.close()
  await copy.drop()
}

/** Attacks a copy of a database while a service runs on it, and judges by what is found without an attack. */
export async function attacked(
  { copied, facts, right }: Prepared & { readonly right: Found },
  { sql }: Attack,
  plant?: Plant,
): Promise<Verdict> {
  const copy = await copied()
  const on = await serve(await copy.open(), plant)
  try {
    try {
      await copy.force(sql)
    } catch {
      return 'refused'
    }
    await on.service.counters.compare().catch(() => undefined)
    return verdictOf(on, await tried(on, facts), right)
  } finally {
    await closed(on, copy)
  }
}

/** Probe -> what came of it. */
type Found = ReadonlyMap<string, string>

export interface Prepared {
  /** A copy of the database that nobody has attacked yet. */
  readonly copied: () => Promise<Copy>
  readonly facts: Facts
}

async function tried(on: Served, facts: Facts): Promise<Found> {
  const found = new Map<string, string>()
  for (const { name, outcome } of PROBES)
    found.set(name, await outcome(on, facts).then(String, (error: unknown) => `${THROWN}${String(error)}`))
  return found
}

/** A store that refuses what it reads gives nothing. */
const THROWN = 'thrown: '

function verdictOf({ service }: Served, found: Found, right: Found): Verdict {
  for (const { name, allowed } of PROBES) {
    const text = found.get(name)!
    const isAllowed = allowed.some((each) => (typeof each === 'string' ? each === text : each.test(text)))
    if (!isAllowed && !text.startsWith(THROWN)) return `hole: ${name}: ${text}`
  }
  if (service.alarms.all().length > 0) return 'noticed'
  return PROBES.every(({ name }) => found.get(name) === right.get(name)) ? 'without effect' : 'refused'
}
