/** Rows that a writer of the database made or changed give nothing: they count as absent, and health says so (N31). */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { generateRing } from '../../src/crypto/keys/key-ring.js'
import { generateRingSecret, type RingSecret } from '../../src/crypto/keys/secret-key.js'
import { deliverDue } from '../../src/runtime/events/dispatch.js'
import { webhook } from '../../src/runtime/events/targets/webhook.js'
import type { Storage } from '../../src/runtime/storage/contract.js'
import { openSqlite } from '../../src/runtime/storage/sqlite/index.js'
import { startReceiver } from '../runtime/fixture/receiver.js'
import { capability, input } from '../runtime/fixture/manifest.js'
import { KEYS, startFixture } from '../runtime/fixture/service.js'

const folder = mkdtempSync(join(tmpdir(), 'svc-rows-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const grant_policy = {
  allowed_grant_types: ['one_time'],
  default_grant_type: 'one_time',
  expires_in_seconds: 3600,
  max_uses: 1,
} as const
const capabilities = {
  book: capability({
    inputs: [{ ...input('amount'), type: 'integer' }],
    minimum_scope: ['travel.book'],
    side_effect: { type: 'irreversible' },
    approval: { required: 'always', grant_policy },
  }),
  trip: capability({
    inputs: [{ ...input('amount'), type: 'integer' }],
    minimum_scope: ['travel.book'],
    side_effect: { type: 'irreversible' },
    approval: { required: 'always', grant_policy, approvers: 2 },
  }),
  quote: capability({ output: { type: 'quote', fields: [{ name: 'offer', type: 'string' }] } }),
}

let made = 0

async function start(more: object = {}) {
  const file = join(folder, `${++made}.db`)
  const storage = await openSqlite({ file, clock: () => Date.parse('2026-03-01T12:00:00.000Z') })
  onTestFinished(() => storage.close())
  const effects: unknown[] = []
  const handlers = {
    book: ({ amount }: { amount: number }) => (effects.push(amount), {}),
    trip: () => (effects.push('trip'), {}),
    quote: () => ({ offer: 'ok' }),
  } as never
  const fixture = await startFixture({ capabilities, handlers, storage, ...more })
  const sql = (text: string, ...values: readonly unknown[]): void => {
    const db = new Database(file)
    db.prepare(text).run(...values)
    db.close()
  }
  const ask = async (name: string, amount = 230): Promise<{ readonly id: string; readonly token: string }> => {
    const { token } = await fixture.root({ scope: ['travel.book'], subject: 'agent:planner' })
    const { body } = await fixture.invoke(name, token, { parameters: { amount } })
    return { id: String(body['failure']!['approval_request_id']), token }
  }
  const alarms = async () => (await fixture.call('GET', '/-/ready')).body['alarms']
  const approve = async (id: string) =>
    (await fixture.post('/svc/approval_grants', 'bob-key', { approval_request_id: id })).status
  return { ...fixture, file, sql, ask, alarms, approve, effects }
}

const BINDING = {
  binding_id: 'bnd_1', type: 'quote', capability: 'quote', root_principal: 'human:ana', issued_at: 0,
} as const // prettier-ignore

describe('N31 a writer of the database', () => {
  const SESSION = { hash: 'a'.repeat(64), principal: 'human:cfo@x.org', roles: ['operator'] } as const
  const FORGE = `insert into console_sessions (hash, principal, credential, entitled, began_at, idle_at, expires_at)
    values (?, ?, '{"issuer":"https://sso.x.org","subject":"cfo"}', ?, 0, 9e15, 9e15)`

  it('signs in as nobody', async () => {
    const { sql, service, alarms } = await start()
    sql(FORGE, SESSION.hash, SESSION.principal, JSON.stringify({ roles: SESSION.roles }))
    expect(await service.storage.sessions.look(SESSION.hash)).toBeUndefined()
    expect(await alarms()).toEqual(['rows_altered'])
  })

  it.each([
    ['principal', `update console_sessions set principal = 'human:cfo@x.org'`],
    ['roles', `update console_sessions set entitled = json_set(entitled, '$.roles', json('["operator"]'))`],
    ['end', `update console_sessions set entitled = json_set(entitled, '$.ends_at', 9e15)`],
    ['hash', `update console_sessions set hash = '${SESSION.hash}'`],
  ])('changes no %s of a session', async (_, change) => {
    const { sql, service } = await start()
    const session = { hash: 'b'.repeat(64), principal: 'human:ana', credential: { issuer: 'i', subject: 's' } } as const
    await service.storage.sessions.begin(session, 1000, 1000)
    expect(await service.storage.sessions.look(session.hash)).toMatchObject({ principal: 'human:ana' })
    sql(change)
    expect(await service.storage.sessions.look(session.hash)).toBeUndefined()
    expect(await service.storage.sessions.look(SESSION.hash)).toBeUndefined()
  })

  it.each<[string, (sessions: Storage['sessions'], hash: string, sql: (text: string) => void) => unknown]>([
    ['somebody signed out of', (sessions, hash) => sessions.end(hash)],
    ['an operator ended', (sessions) => sessions.endAll({ principal: 'human:ana' })],
    ['another process ended', async (sessions, hash, sql) => {
      await sessions.look(hash)
      sql('delete from console_sessions')
      await sessions.look(hash)
    }],
  ])('puts back no session that %s', async (_, end) => {
    const { sql, service, alarms } = await start()
    const { sessions } = service.storage
    const session = { hash: 'b'.repeat(64), principal: 'human:ana', credential: { issuer: 'i', subject: 's' } } as const
    await sessions.begin(session, 1000, 1000)
    sql('create table kept as select * from console_sessions')
    await end(sessions, session.hash, sql)
    sql('insert into console_sessions select * from kept')
    expect(await sessions.look(session.hash)).toBeUndefined()
    expect(await alarms()).toEqual(['rows_altered'])
  }) // prettier-ignore

  it('prolongs no session by the columns of its times', async () => {
    const { sql, service, time } = await start()
    const session = { hash: 'b'.repeat(64), principal: 'human:ana', credential: { issuer: 'i', subject: 's' } } as const
    await service.storage.sessions.begin(session, 1000, 1000)
    sql('update console_sessions set idle_at = 9e15, expires_at = 9e15')
    time.now += 1000
    expect(await service.storage.sessions.look(session.hash)).toBeUndefined()
  })

  it.each([
    ['parameters', `json_set(body, '$.requested_parameters.amount', 101)`],
    ['digest', `json_set(body, '$.requested_parameters_digest', 'sha256:0')`],
    ['cost', `json_set(body, '$.checked_cost', json('{"currency":"EUR","amount":1}'))`],
    ['requester', `json_set(body, '$.requester.root_principal', 'human:eve')`],
    ['quorum', `json_remove(body, '$.approvals_needed')`],
    ['scope of a tier', `json_set(body, '$.approver_scope', 'approver:eve')`],
    ['policy', `json_set(body, '$.grant_policy.max_uses', 9)`],
    ['mac', `json_remove(body, '$.mac')`],
  ])('shows an approver no other %s than what was asked, and gets no grant', async (_, body) => {
    const { sql, ask, approve, alarms, call, effects } = await start()
    const { id } = await ask('trip')
    sql(`update approval_requests set body = ${body}`)
    expect((await call('GET', `/svc/approval_requests/${id}`, { bearer: 'bob-key' })).status).toBe(404)
    expect((await call('GET', '/svc/approval_requests', { bearer: 'bob-key' })).body['approval_requests']).toEqual([])
    expect(await approve(id)).toBe(404)
    expect(effects).toEqual([])
    expect(await alarms()).toEqual(['rows_altered'])
  })

  it('copies no request to another id', async () => {
    const { sql, ask, approve } = await start()
    const { id } = await ask('book')
    sql(`update approval_requests set approval_request_id = 'apr_aaaaaaaaaaaaaaaaaaaaaa'`)
    expect([await approve('apr_aaaaaaaaaaaaaaaaaaaaaa'), await approve(id)]).toEqual([404, 404])
  })

  it('prolongs no request by its column', async () => {
    const { sql, ask, approve, time } = await start()
    const { id } = await ask('book')
    sql('update approval_requests set expires_at = 9e15')
    time.now += 31 * 86_400_000
    expect(await approve(id)).toBe(409)
  })

  it('gives no approval in the name of another', async () => {
    const { sql, ask, call, approve, alarms, effects } = await start()
    const { id } = await ask('trip')
    const body = { approver: 'human:cfo@x.org', decided_at: '2026-03-01T12:00:00.000Z', reason: null, terms: { grant_type: 'one_time', session_id: null, expires_in_seconds: 60, max_uses: 1 } } // prettier-ignore
    sql('insert into approvals_given values (?, ?, ?, 0)', id, body.approver, JSON.stringify(body))
    expect(await approve(id)).toBe(202)
    expect((await call('GET', `/svc/approval_requests/${id}`, { bearer: 'bob-key' })).body).toMatchObject({
      status: 'pending',
      approvals: 1,
    })
    expect([await alarms(), effects]).toEqual([['rows_altered'], []])
  })

  it('adds nothing to what was decided before', async () => {
    const { sql, ask, call } = await start()
    const [asked, other, genuine] = [await ask('trip', 1), await ask('trip', 2), await ask('trip', 3)]
    await call('POST', `/svc/approval_requests/${genuine.id}/deny`, { bearer: 'bob-key', body: { reason: 'No.' } })
    const forged = `status = 'approved', approver = 'human:cfo@x.org', decided_at = '2026-03-01T12:00:00.000Z'`
    sql(`update approval_requests set ${forged} where approval_request_id = ?`, other.id)
    const { body } = await call('GET', `/svc/approval_requests/${asked.id}`, { bearer: 'bob-key' })
    expect(body['context']!['earlier']).toEqual({
      counts: { approved: 0, denied: 1 },
      last: [{ status: 'denied', approver: 'human:bob', decided_at: '2026-03-01T12:00:00.000Z', reason: 'No.' }],
    })
  })

  it('forges no price of a binding', async () => {
    const { sql, service } = await start()
    await service.storage.bindings.insert({ ...BINDING, price: { currency: 'EUR', amount: 90 } })
    expect(await service.storage.bindings.get('bnd_1')).toMatchObject({ price: { amount: 90 } })
    sql(`update bindings set body = json_set(body, '$.price.amount', 1)`)
    expect(await service.storage.bindings.get('bnd_1')).toBeUndefined()
  })

  it('has no event signed', async () => {
    const receiver = await startReceiver()
    onTestFinished(receiver.close)
    const target = webhook({ name: 'ops', url: receiver.url, secret: `whsec_${'ABCDEFGH'.repeat(5)}` })
    const { sql, ask, service, alarms } = await start({ notify: [target] })
    await ask('book')
    sql(`update event_deliveries set body = replace(body, 'human:ana', 'human:cfo')`)
    await deliverDue(service, target)
    expect([receiver.received, await alarms()]).toEqual([[], ['rows_altered']])
    expect(await service.storage.outbox.list({ limit: 9 })).toMatchObject([{ state: 'dead' }])
  })

  it('puts no answer under an idempotency key', async () => {
    const { sql, root, invoke, alarms } = await start()
    const { token } = await root({ scope: ['travel.search'] })
    const headers = { 'idempotency-key': 'k1' }
    const first = await invoke('quote', token, { parameters: {} }, headers)
    expect((await invoke('quote', token, { parameters: {} }, headers)).body).toEqual(first.body)
    sql(`update idempotency set body = replace(body, '"success":true', '"success":false')`)
    expect((await invoke('quote', token, { parameters: {} }, headers)).body['failure']?.['type']).toBe(
      'idempotency_in_progress',
    )
    expect(await alarms()).toEqual(['rows_altered'])
  })

  it('chooses no secret that replicas share', async () => {
    const { sql, service } = await start()
    sql(`insert into secrets (name, value, made_at) values ('mcp request state', 'known', 0)`)
    await expect(service.storage.secret('mcp request state', 'fresh')).rejects.toThrow('was altered')
  })
})

it('takes rows that another replica made, and none that another service made', async () => {
  const first = await start()
  await first.service.storage.bindings.insert(BINDING)
  const replica = await startFixture({ capabilities, storage: first.storage, keys: KEYS })
  expect(await replica.service.storage.bindings.get('bnd_1')).toEqual(BINDING)
  const stranger = await startFixture({ capabilities, storage: first.storage, keys: generateRing() })
  expect(await stranger.service.storage.bindings.get('bnd_1')).toBeUndefined()
})

describe('a database of an earlier version', () => {
  const UNSEAL = [
    `update approval_requests set body = json_remove(body, '$.mac')`,
    `update bindings set body = json_remove(body, '$.mac')`,
    `update idempotency set body = substr(body, instr(body, char(10)) + 1)`,
  ]
  const later = {
    ...KEYS,
    secrets: KEYS.secrets.map((each) => ({
      ...each,
      createdAt: Date.parse('2026-03-02T00:00:00Z'),
      earlierRowsUntil: Date.parse('2026-03-09T00:00:00Z'),
    })),
  }
  const headers = { 'idempotency-key': 'k1' }

  it('loses nothing at the first start with the key, which is recorded, and done once', async () => {
    const before = await start()
    const { id, token } = await before.ask('book')
    await before.service.storage.bindings.insert(BINDING)
    const search = (await before.root({ scope: ['travel.search'] })).token
    const answer = await before.invoke('quote', search, { parameters: {} }, headers)
    for (const statement of UNSEAL) before.sql(statement)
    expect(await before.service.storage.bindings.get('bnd_1')).toBeUndefined()

    const handlers = { book: () => ({ done: true }), trip: () => ({}), quote: () => ({ offer: 'new' }) } as never
    const next = await startFixture({ capabilities, handlers, storage: before.storage, keys: later })
    expect(await next.service.storage.bindings.get('bnd_1')).toEqual(BINDING)
    expect((await next.post('/svc/approval_grants', 'bob-key', { approval_request_id: id })).status).toBe(200)
    expect((await next.invoke('book', token, { parameters: { amount: 230 }, approval: 'continue' })).status).toBe(200)
    expect((await next.invoke('quote', search, { parameters: {} }, headers)).body).toEqual(answer.body)
    const [entry] = await next.service.storage.audit.query({ capability: 'svc:rows', limit: 9 })
    expect(entry?.operated?.target).toMatchObject({ approval_requests: '1', bindings: '1', idempotency: '1' })

    for (const statement of UNSEAL) before.sql(statement)
    const third = await startFixture({ capabilities, storage: before.storage, keys: later })
    expect(await third.service.storage.bindings.get('bnd_1')).toBeUndefined()
  })

  it('is none where its trail began under the key', async () => {
    const before = await start()
    await before.ask('book')
    await before.service.storage.bindings.insert(BINDING)
    for (const statement of UNSEAL) before.sql(statement)
    const next = await startFixture({ capabilities, storage: before.storage, keys: KEYS })
    expect(await next.service.storage.bindings.get('bnd_1')).toBeUndefined()
  })
})

describe('a rows key that is rotated', () => {
  const at = Date.parse('2026-03-01T11:00:00Z')
  const [old] = KEYS.secrets
  const next = generateRingSecret('rows')
  const ring = (...secrets: readonly RingSecret[]) => ({ ...KEYS, secrets: secrets.map((each) => ({ ...each, createdAt: at })) }) // prettier-ignore
  const headers = { 'idempotency-key': 'k1' }

  it('has its rows written anew, so that the old one can be retired', async () => {
    const before = await start({ keys: ring(old!) })
    const pending = await before.ask('book')
    const several = await before.ask('trip')
    await before.approve(several.id)
    await before.service.storage.bindings.insert(BINDING)
    const search = (await before.root({ scope: ['travel.search'] })).token
    const answer = await before.invoke('quote', search, { parameters: {} }, headers)
    await before.post('/-/tokens/revoke', 'op-key', { principal: 'human:eve', reason: 'Stolen.' })
    await before.post('/-/capabilities/trip/pause', 'op-key', { reason: 'Down.' })
    await before.storage.secret('shared', 'first')

    const both = await startFixture({ capabilities, storage: before.storage, keys: ring(next, { ...old!, state: 'retired' }) })
    await both.service.renewRows()
    expect(both.logged.filter((line) => line.includes('Rows were written anew'))).toHaveLength(1)
    await both.service.renewRows()
    await both.service.renewRows()
    expect(both.logged.filter((line) => line.includes('Rows were written anew'))).toHaveLength(1)

    const after = await startFixture({ capabilities, storage: before.storage, keys: ring(next) })
    await after.service.counters.compare()
    expect(await after.storage.bindings.get('bnd_1')).toEqual(BINDING)
    expect(await after.storage.secret('shared', 'mine')).toBe('first')
    expect(await after.storage.approvals.given(several.id)).toMatchObject([{ approver: 'human:bob' }])
    expect((await after.post('/svc/approval_grants', 'bob-key', { approval_request_id: pending.id })).status).toBe(200)
    expect((await after.invoke('quote', search, { parameters: {} }, headers)).body).toEqual(answer.body)
    expect((await after.post('/svc/tokens', 'eve-key', { scope: ['travel.search'] })).status).toBe(403)
    expect((await after.call('GET', '/-/ready')).body['alarms']).toEqual([])
  }) // prettier-ignore

  it('has the others written anew where one does not read', async () => {
    const before = await start({ keys: ring(old!) })
    const pending = await before.ask('book')
    const odd = [`'not json'`, `'null'`, `'[]'`, `'{"requester":"\\ud800"}'`, `x'00ff'`, '7']
    for (const [at, body] of odd.entries())
      before.sql(`insert into approval_requests (approval_request_id, capability, subject, root_principal, digest, body, created_at, expires_at, status)
        values (${at === 0 ? "x'00'" : `'apr_${at}'`}, 'book', 's', 'r', 'd${at}', ${body}, 0, 0, 'pending')`)
    const both = await startFixture({ capabilities, storage: before.storage, keys: ring(next, { ...old!, state: 'retired' }) })
    await both.service.renewRows()
    const after = await startFixture({ capabilities, storage: before.storage, keys: ring(next) })
    expect((await after.post('/svc/approval_grants', 'bob-key', { approval_request_id: pending.id })).status).toBe(200)
  }) // prettier-ignore

  it('makes no row genuine that was altered before', async () => {
    const before = await start({ keys: ring(old!) })
    await before.service.storage.bindings.insert({ ...BINDING, price: { currency: 'EUR', amount: 90 } })
    before.sql(`update bindings set body = json_set(body, '$.price.amount', 1)`)
    const both = await startFixture({ capabilities, storage: before.storage, keys: ring(next, { ...old!, state: 'retired' }) })
    await both.service.renewRows()
    expect(await both.storage.bindings.get('bnd_1')).toBeUndefined()
  }) // prettier-ignore
})

it('does not start without the key', async () => {
  await expect(startFixture({ keys: { keys: KEYS.keys, secrets: [] } })).rejects.toThrow(
    'There is no active key for the role rows. Make one with: svc keys generate --role rows',
  )
})
