/** Rows that take authority away: a writer of the database who deletes or alters them is noticed, and they count (N31). */
import Database from 'libsql'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Storage } from '../../src/runtime/storage/contract.js'
import { openSqlite } from '../../src/runtime/storage/sqlite/index.js'
import { capability, input } from '../runtime/fixture/manifest.js'
import { API_KEYS, startFixture, type Fixture } from '../runtime/fixture/service.js'
import { storesWithAWriter, type Subject } from './stores-with-a-writer.js'

const grant_policy = {
  allowed_grant_types: ['one_time'],
  default_grant_type: 'one_time',
  expires_in_seconds: 3600,
  max_uses: 1,
} as const
const capabilities = {
  search: capability(),
  book: capability({
    inputs: [{ ...input('amount'), type: 'integer' }],
    minimum_scope: ['travel.book'],
    side_effect: { type: 'irreversible' },
    approval: { required: 'always', grant_policy },
  }),
}
const DAY = 24 * 3600_000

const { sqlite, postgres, newFile } = storesWithAWriter()

describe.each([
  ['SQLite', sqlite],
  ['PostgreSQL', postgres],
] as const)('N31 on %s', (engine, create) => {
  let subject: Subject
  let opened: Storage[] = []
  beforeEach(async () => void (subject = await create()))
  afterEach(async () => {
    await Promise.all(opened.map((each) => each.close()))
    opened = []
  })
  /** That of the server, where there is one. */
  const clock = engine === 'SQLite' ? () => Date.parse('2026-03-01T12:00:00.000Z') : Date.now
  const start = async () => {
    const storage = await subject.open(clock)
    opened.push(storage)
    return startFixture({ capabilities, storage, clock })
  }
  const again = async ({ service }: Fixture) => {
    await service.close()
    await opened.pop()!.close()
    return start()
  }
  const alarms = async ({ call }: Fixture) => (await call('GET', '/-/ready')).body['alarms']
  const details = async ({ storage }: Fixture) =>
    (await storage.audit.newest(undefined, 100))
      .flatMap(({ entry_type, detail }) => (entry_type === 'integrity_failure' ? [detail!] : []))
      .map((detail) => detail.replaceAll(/(blk|apr|inv)[_-][\w-]+/gu, '$1_x'))
  const operate = (on: Fixture, path: string, body: object) => on.post(path, 'op-key', body)
  const block = (on: Fixture) => operate(on, '/-/tokens/revoke', { principal: 'human:eve', reason: 'Stolen.' })
  const eve = async (on: Fixture) => (await on.post('/svc/tokens', 'eve-key', { scope: ['travel.search'] })).status
  const search = async (on: Fixture) => (await on.invoke('search', (await on.root()).token)).status
  const ask = async (on: Fixture) => {
    const { token } = await on.root({ scope: ['travel.book'], subject: 'agent:planner' })
    const { body } = await on.invoke('book', token, { parameters: { amount: 1 } })
    return { token, id: String(body['failure']!['approval_request_id'] ?? ''), failure: body['failure']! }
  }

  it.each([
    ['deleted', 'delete from blocks'],
    ['lifted', `update blocks set lifted_at = 1, lifted_by = 'human:op'`],
    ['put on somebody else', `update blocks set value = 'human:nobody'`],
    ['of another kind', `update blocks set kind = 'subject'`],
  ])('a block that was %s is put back by a service that runs', async (_, sql) => {
    const fixture = await start()
    const { body } = await block(fixture)
    expect([await eve(fixture), await fixture.service.counters.compare()]).toEqual([403, 0])
    await subject.force(sql)
    expect(await fixture.service.counters.compare()).toBe(1)
    expect([await eve(fixture), await alarms(fixture)]).toEqual([403, ['rows_altered']])
    expect(await details(fixture)).toEqual([
      'The block blk_x of principal human:eve is in force, and the database does not have it. It was put back.',
    ])
    const lifted = await operate(fixture, `/-/blocks/${String(body['block']!['block_id'])}/lift`, {})
    expect([lifted.status, await fixture.service.counters.compare(), await eve(fixture)]).toEqual([200, 0, 200])
  })

  it('a block that was deleted is put back before a start answers', async () => {
    const first = await start()
    await block(first)
    await subject.force('delete from blocks')
    expect(await eve(first)).toBe(200)
    expect(await eve(await again(first))).toBe(403)
  })

  it.each([
    ['reason', `update blocks set reason = 'Nothing.'`],
    ['author', `update blocks set created_by = 'human:ana'`],
    ['time', 'update blocks set created_at = 1'],
    ['MAC', 'update blocks set mac = null'],
  ])('a block whose %s was altered stays in force, and is noticed', async (_, sql) => {
    const fixture = await start()
    await block(fixture)
    await subject.force(sql)
    expect([await fixture.service.counters.compare(), await eve(fixture)]).toEqual([0, 403])
    expect(await alarms(fixture)).toEqual(['rows_altered'])
  })

  it('a block that nobody made is in force, noticed, not repeated on the trail, and can be lifted', async () => {
    const fixture = await start()
    await subject.force(`
      insert into blocks (block_id, kind, value, reason, created_by, created_at)
      values ('blk_aaaaaaaaaaaaaaaaaaaaaa', 'principal', 'human:eve', 'Forged.', 'human:op', 1)`)
    expect([await eve(fixture), await fixture.service.counters.compare()]).toEqual([403, 0])
    expect([await alarms(fixture), await fixture.storage.audit.query({ limit: 9 })]).toEqual([['rows_altered'], []])
    expect((await operate(fixture, '/-/blocks/blk_aaaaaaaaaaaaaaaaaaaaaa/lift', {})).status).toBe(200)
    expect(await eve(fixture)).toBe(200)
  })

  it('a pause that was deleted is put back, at a start and while it runs', async () => {
    const first = await start()
    await operate(first, '/-/capabilities/search/pause', { reason: 'Down.' })
    await subject.force('delete from paused_capabilities')
    expect(await first.service.counters.compare()).toBe(1)
    expect(await details(first)).toEqual([
      'The capability search is paused, and the database does not have that. It was put back.',
    ])
    await subject.force('delete from paused_capabilities')
    const next = await again(first)
    expect([await search(next), await alarms(next)]).toEqual([503, ['rows_altered']])
    await operate(next, '/-/capabilities/search/resume', { reason: 'Up.' })
    expect([await next.service.counters.compare(), await search(next)]).toEqual([0, 200])
  })

  it('a pause that was altered stays in force, and is noticed', async () => {
    const fixture = await start()
    await operate(fixture, '/-/capabilities/search/pause', { reason: 'Down.' })
    await subject.force(`update paused_capabilities set reason = 'Up.'`)
    expect([await fixture.service.counters.compare(), await search(fixture)]).toEqual([0, 503])
    expect(await alarms(fixture)).toEqual(['rows_altered'])
  })

  it.each([
    ['opened again', `update approval_requests set status = 'pending', approver = null, decided_at = null`, 'says otherwise'],
    ['made an old one', `update approval_requests set decided_at = '2001-01-01T00:00:00.000Z'`, 'says otherwise'],
    ['given another reason', `update approval_requests set reason = 'Ask for 1,000 instead.'`, 'says otherwise'],
    ['taken for expired', `update approval_requests set status = 'expired'`, 'says otherwise'],
    ['taken for approved', `update approval_requests set status = 'approved'`, 'says otherwise'],
    ['deleted', 'delete from approval_requests', 'does not have it'],
  ])('a denial that was %s holds', async (_, sql, said) => {
    const fixture = await start()
    const { id } = await ask(fixture)
    expect((await fixture.post(`/svc/approval_requests/${id}/deny`, 'bob-key', { reason: 'No.' })).status).toBe(200)
    const denied = (await ask(fixture)).failure
    expect([denied['approval_request_id'], denied['decision']!['reason']]).toEqual([id, 'No.'])
    await subject.force(sql)
    expect(await fixture.service.counters.compare()).toBe(1)
    const { failure } = await ask(fixture)
    expect([failure['approval_request_id'], failure['decision']!['reason']]).toEqual([id, 'No.'])
    expect((await fixture.post('/svc/approval_grants', 'bob-key', { approval_request_id: id })).status).not.toBe(200)
    expect([await details(fixture), await alarms(fixture)]).toEqual([
      [`The approval request apr_x was denied, and the database ${said}. It was put back.`],
      ['rows_altered'],
    ])
  }) // prettier-ignore

  it.each([
    ['reason', `update approval_requests set reason = 'Ask for 1,000 instead.'`],
    ['MAC', 'update approval_requests set decided_mac = null'],
  ])('a denial whose %s was altered holds, and says no reason until it is put back', async (_, sql) => {
    const fixture = await start()
    const { id } = await ask(fixture)
    await fixture.post(`/svc/approval_requests/${id}/deny`, 'bob-key', { reason: 'No.' })
    await subject.force(sql)
    const { failure } = await ask(fixture)
    expect([failure['approval_request_id'], failure['decision']!['reason']]).toEqual([id, null])
    expect([await alarms(fixture), await fixture.service.counters.compare()]).toEqual([['rows_altered'], 1])
    expect((await ask(fixture)).failure['decision']!['reason']).toBe('No.')
  })

  it('a request that was withdrawn is not approved', async () => {
    const fixture = await start()
    const { id, token } = await ask(fixture)
    expect((await fixture.post(`/svc/approval_requests/${id}/withdraw`, token)).status).toBe(200)
    await subject.force(`update approval_requests set status = 'pending', decided_at = null`)
    expect(await fixture.service.counters.compare()).toBe(1)
    expect((await fixture.post('/svc/approval_grants', 'bob-key', { approval_request_id: id })).status).toBe(409)
    expect(await details(fixture)).toEqual([
      'The approval request apr_x was withdrawn, and the database says otherwise. It was put back.',
    ])
  })

  it.each([
    ['approver', `update approval_requests set approver = 'human:cfo'`],
    ['names', `update approval_requests set decided_by = '["human:cfo"]'`],
    ['credential', 'update approval_requests set credential = null'],
    ['status', `update approval_requests set status = 'withdrawn'`],
  ])('a grant whose decision names another %s is none', async (_, sql) => {
    const fixture = await start()
    const { id, token } = await ask(fixture)
    const { body } = await fixture.post('/svc/approval_grants', 'bob-key', { approval_request_id: id })
    await subject.force(sql)
    const reply = await fixture.invoke('book', token, { parameters: { amount: 1 }, approval_grant: body['grant_id'] })
    expect([reply.status, await alarms(fixture)]).toEqual([403, ['rows_altered']])
  })

  it('a resolution that was deleted is put back', async () => {
    const fixture = await start()
    await fixture.service.record({ draft: RESOLVED(clock()), resolves: 'inv-000000000001' })
    expect(await fixture.service.counters.compare()).toBe(0)
    await subject.force('delete from resolutions')
    expect(await fixture.service.counters.compare()).toBe(1)
    expect(await fixture.storage.standing.resolutions(['inv-000000000001'])).toEqual(new Set(['inv-000000000001']))
  })

  it.each([
    ['that its person ended', 'con_1', 'update connections set state = \'connected\', body = (select body from earlier)'],
    ['that another replaced', 'con_2', 'delete from connections; insert into connections select * from earlier'],
  ])('a connection %s, and that a writer has put back, ends again', async (_, id, sql) => {
    const on = await start()
    const { storage, service } = on
    const connection = { person: 'human:ana', upstream: 'mail', revision: 1, scopes: ['read'], issuer: 'https://idp.example', connected_at: 1 } as const
    const told = (name: 'connection_made' | 'connection_ended', connection_id: string) => ({
      draft: { ...ENTRY, ...at(clock() - 120_000), entry_type: 'operator_action', actor_key: 'human:ana', root_principal: 'human:ana', delegation_chain: [], operated: { name, target: { upstream: 'mail', connection_id } } } as const,
    })
    for (const connection_id of new Set(['con_1', id])) {
      await service.record(told('connection_made', connection_id))
      await storage.connections.put({ ...connection, connection_id, sealed: 'key.tokens' })
      if (connection_id === 'con_1') await subject.force('create table earlier as select * from connections')
    }
    if (id === 'con_1') await storage.connections.end({ ...connection, connection_id: id }, 'disconnected')
    if (id === 'con_1') await service.record(told('connection_ended', id))
    expect(await service.counters.compare()).toBe(0)
    await subject.force(sql)
    expect((await storage.connections.of('human:ana', 'mail'))?.sealed).toBe('key.tokens')
    expect([await service.counters.compare(), await alarms(on)]).toEqual([1, ['rows_altered']])
    const found = await storage.connections.of('human:ana', 'mail')
    expect([found?.state, found?.sealed]).toEqual(['ended', undefined])
    expect(await details(on)).toEqual([
      'The connection con_1 of human:ana at mail has ended, and the database says otherwise. It was put back.',
    ])
  }) // prettier-ignore

  it('the account behind a name that was deleted is put back', async () => {
    const fixture = await start()
    const account = { issuer: 'https://idp.example', subject: '7' }
    const draft = { ...ISSUED(clock()), credential: account }
    for (const actor_key of ['human:ana', 'oidc:7'] as const) {
      await fixture.storage.accounts.remember(account, actor_key)
      await fixture.service.record({ draft: { ...draft, actor_key } })
    }
    expect(await fixture.service.counters.compare()).toBe(0)
    await subject.force('delete from accounts')
    expect(await fixture.service.counters.compare()).toBe(2)
    expect(await fixture.storage.accounts.namesOf(['oidc:7'])).toEqual(['oidc:7', 'human:ana'])
  })
})

const ENTRY = {
  invocation_id: null, capability: null, root_principal: 'human:op', event_class: 'high_risk_success', success: true,
  failure_type: null, client_reference_id: null, task_id: null, parent_invocation_id: null, upstream_service: null,
  approval_request_id: null, approval_grant_id: null, token_id: null, cost_actual: null, parameters: {},
} as const // prettier-ignore
const at = (time: number) => ({ timestamp: new Date(time).toISOString() })
const RESOLVED = (time: number) => ({ ...ENTRY, ...at(time), entry_type: 'operator_action', actor_key: 'human:op', delegation_chain: [], operated: { name: 'invocation_resolved', target: { invocation_id: 'inv-000000000001' } } }) as const // prettier-ignore
const ISSUED = (time: number) => ({ ...ENTRY, ...at(time), entry_type: 'token_issued', delegation_chain: ['tok_1'] }) as const // prettier-ignore

it('N31 what is in force for long is repeated on the trail, once, so that a later start finds it', async () => {
  const file = newFile()
  const now = { at: Date.parse('2026-03-01T12:00:00.000Z') }
  const clock = () => now.at
  const open = async () => {
    const storage = await openSqlite({ file, clock })
    return { storage, fixture: await startFixture({ capabilities, storage, clock, apiKeys: API_KEYS }) }
  }
  const first = await open()
  await first.fixture.post('/-/tokens/revoke', 'op-key', { principal: 'human:eve', reason: 'Stolen.' })
  await first.fixture.post('/-/capabilities/search/pause', 'op-key', { reason: 'Down.' })
  const names = async () =>
    (await first.storage.audit.newest(undefined, 9)).map(({ actor_key, operated }) => [actor_key, operated?.name])
  now.at += 5 * DAY
  await first.fixture.service.counters.compare()
  await first.fixture.service.counters.compare()
  expect(await names()).toEqual([
    ['service:flights', 'pause_in_force'],
    ['service:flights', 'block_in_force'],
    ['human:op', 'capability_paused'],
    ['human:op', 'tokens_revoked'],
  ])
  await first.fixture.service.close()
  await first.storage.close()
  const driver = new Database(file)
  driver.exec('delete from blocks; delete from paused_capabilities')
  driver.close()
  now.at += 30 * DAY
  const next = await open()
  expect((await next.fixture.post('/svc/tokens', 'eve-key', { scope: ['travel.search'] })).status).toBe(403)
  expect([...next.fixture.service.paused]).toEqual(['search'])
  await next.storage.close()
})

it('N31 between two looks at all counters, revocations are compared, and spending is not', async () => {
  const file = newFile()
  const clock = () => Date.parse('2026-03-01T12:00:00.000Z')
  const storage = await openSqlite({ file, clock })
  const priced = capability({ cost: { certainty: 'fixed', financial: { currency: 'EUR', amount: 5 } } })
  const on = await startFixture({ capabilities: { ...capabilities, priced }, storage, clock })
  const budget = await on.root({ budget: { currency: 'EUR', max_amount: 9, mode: 'cumulative' } })
  expect((await on.invoke('priced', budget.token)).status).toBe(200)
  const revoked = await on.root()
  await on.post('/svc/tokens/revoke', 'ana-key', { token_id: revoked.token_id })
  const driver = new Database(file)
  driver.exec('update ledger set spent = 0; update tokens set revoked_at = null')
  driver.close()
  expect(await on.service.counters.compare('ended')).toBe(1)
  expect((await on.invoke('search', revoked.token)).status).toBe(401)
  expect(await on.service.counters.compare('all')).toBe(1)
  await storage.close()
})
