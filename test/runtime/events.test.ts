/** Events and their outbox, on both stores (decisions, section 13). */
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { ListedEvent } from '../../src/protocol/events.js'
import { deliverDue, giveUpEvents, startDelivery } from '../../src/runtime/events/dispatch.js'
import { webhook } from '../../src/runtime/events/notify.js'
import { reportAlarms, reportExpiries } from '../../src/runtime/events/report.js'
import type { Storage } from '../../src/runtime/storage/contract.js'
import { openPostgres } from '../../src/runtime/storage/postgres/index.js'
import { openSqlite } from '../../src/runtime/storage/sqlite/index.js'
import { capability, input } from './fixture/manifest.js'
import { accept, isSigned, SECRET, startReceiver, status } from './fixture/receiver.js'
import { startFixture } from './fixture/service.js'
import { startPostgres, type PostgresServer } from './storage/postgres-server.js'

const policy = { allowed_grant_types: ['one_time'], default_grant_type: 'one_time', expires_in_seconds: 600, max_uses: 1 } as const // prettier-ignore
const capabilities = {
  search: capability(),
  book: capability({
    inputs: [input('hotel')],
    side_effect: { type: 'irreversible' },
    approval: { required: 'always', grant_policy: policy },
  }),
  pay: capability({
    side_effect: { type: 'transactional' },
    cost: { certainty: 'fixed', financial: { currency: 'EUR', amount: 40 } },
  }),
  vanish: capability({ side_effect: { type: 'irreversible' } }),
}
const handlers = { vanish: () => Promise.reject(new Error('lost')) }

describe.each(['SQLite', 'PostgreSQL'])('events on %s', (engine) => {
  let server: PostgresServer | undefined
  const opened: Storage[] = []
  let made = 0
  beforeAll(async () => {
    if (engine === 'PostgreSQL') server = await startPostgres(['fsync=off'])
  }, 60_000)
  afterAll(async () => {
    await Promise.all(opened.map((each) => each.close()))
    await server?.stop()
  })

  const start = async ({ events }: { readonly events?: readonly ListedEvent['type'][] } = {}) => {
    const receiver = await startReceiver()
    onTestFinished(receiver.close)
    const target = webhook({ name: 'ops', url: receiver.url, secret: SECRET, ...(events && { events }) })
    const connectionString = await server?.database(`events_${++made}`)
    const open = async () => {
      const storage =
        connectionString === undefined
          ? await openSqlite({ file: ':memory:' })
          : await openPostgres({ connectionString, schema: 'migrate' })
      opened.push(storage)
      return storage
    }
    const storage = await open()
    const given = { capabilities, handlers, clock: Date.now, notify: [target] }
    const fixture = await startFixture({ ...given, storage })
    const list = async (query = ''): Promise<readonly ListedEvent[]> =>
      (await fixture.call('GET', `/-/events${query}`, { bearer: 'op-key' })).body['events'] as never
    let asked = 0
    const ask = async () => {
      const { token, token_id } = await fixture.root({ subject: 'agent:planner' })
      const { body } = await fixture.invoke('book', token, { parameters: { hotel: `Ritz ${++asked}` } })
      return { id: String(body['failure']!['approval_request_id']), token, token_id }
    }
    const deliver = (health?: Parameters<typeof deliverDue>[2]) => deliverDue(fixture.service, target, health)
    return { ...fixture, receiver, target, list, ask, deliver, given }
  }

  it('are written for all that happens, each once, and say who and what', async () => {
    const { service, ask, post, call, root, invoke, list, deliver, receiver } = await start()
    service.pages.approval = (id) => `https://svc.example/${id}`
    const granted = await ask()
    await post('/svc/approval_grants', 'bob-key', { approval_request_id: granted.id })
    await post('/svc/approval_grants', 'bob-key', { approval_request_id: granted.id })
    const taken = await ask()
    await post(`/svc/approval_requests/${taken.id}/withdraw`, taken.token, {})
    const denied = await ask()
    await post(`/svc/approval_requests/${denied.id}/deny`, 'bob-key', { reason: 'a reason for nobody else' })
    await post(`/svc/approval_requests/${denied.id}/deny`, 'bob-key', {})
    const { token, token_id } = await root({ budget: { currency: 'EUR', max_amount: 100, mode: 'cumulative' } })
    for (let n = 0; n < 2; n++) await invoke('pay', token, { parameters: {} })
    const lost = await invoke('vanish', token, { parameters: {} })
    await post('/svc/tokens/revoke', 'ana-key', { token_id })
    await post('/-/tokens/revoke', 'op-key', { subject: 'agent:planner', reason: 'a reason for nobody else' })

    const ids = (await list()).map(({ event_id }) => event_id.replace(/^(token\.revoked\.agent:planner)\..*/u, '$1'))
    expect(ids.toReversed()).toEqual([
      `approval.requested.${granted.id}`,
      `approval.decided.${granted.id}`,
      `approval.requested.${taken.id}`,
      `approval.withdrawn.${taken.id}`,
      `approval.requested.${denied.id}`,
      `approval.decided.${denied.id}`,
      `budget.threshold.${token_id}`,
      `invocation.outcome_unknown.${String(lost.body['invocation_id'])}`,
      `token.revoked.${token_id}`,
      'token.revoked.agent:planner',
    ])
    await deliver()
    expect(receiver.received.map(({ event }) => event.id).toSorted()).toEqual(
      (await list('?state=delivered')).map(({ event_id }) => event_id).toSorted(),
    )
    const of = (type: string) => receiver.received.find(({ event }) => event.type === type)!.event
    expect(of('approval.requested')).toMatchObject({
      specversion: '1.0',
      source: 'flights',
      subject: granted.id,
      data: { capability: 'book', side_effect: 'irreversible', requester: { subject: 'agent:planner', root_principal: 'human:ana' }, approval_request_id: granted.id, approval_url: `https://svc.example/${granted.id}` },
    }) // prettier-ignore
    expect(of('approval.decided').data).toMatchObject({ status: 'approved', approver: 'human:bob' })
    expect(of('budget.threshold').data).toMatchObject({ budget: { amount: 100 }, spent: { amount: 80 } })
    expect(receiver.received.map(({ body }) => body).join()).not.toContain('a reason for nobody else')
    expect((await call('GET', '/-/events?type=alarm.raised', { bearer: 'op-key' })).body['count']).toBe(0)
  })

  it('are signed, and come in order for each subject', async () => {
    const { ask, post, deliver, receiver } = await start()
    const { id } = await ask()
    await post(`/svc/approval_requests/${id}/deny`, 'bob-key', {})
    await deliver()
    expect(receiver.received.map(({ event }) => event.type)).toEqual(['approval.requested', 'approval.decided'])
    expect(receiver.received.every((each) => isSigned(each))).toBe(true)
    expect(receiver.received[0]!.headers).toMatchObject({
      'content-type': 'application/cloudevents+json; charset=utf-8',
      'webhook-id': `approval.requested.${id}`,
    })
  })

  it('wait while their receiver is down; then they come again, with the same id, before those that follow', async () => {
    const { ask, post, deliver, receiver, list, storage } = await start()
    receiver.answer(status(503))
    const { id } = await ask()
    await post(`/svc/approval_requests/${id}/deny`, 'bob-key', {})
    const health = { failures: 0, pausedUntil: 0, refused: new Set<number>() }
    await deliver(health)
    expect(health.failures).toBe(1)
    expect(receiver.received.map(({ event }) => event.type)).toEqual(['approval.requested'])
    expect(await list()).toMatchObject([
      { state: 'pending', attempts: 0 },
      { state: 'pending', attempts: 1, last_error: 'status 503' },
    ])
    receiver.answer(accept)
    await storage.outbox.resend(`approval.requested.${id}`, undefined)
    await deliver()
    expect(receiver.received.map(({ event }) => event.type)).toEqual([
      'approval.requested', 'approval.requested', 'approval.decided',
    ]) // prettier-ignore
    expect(receiver.received[1]!.event).toEqual(receiver.received[0]!.event)
  })

  it('are delivered by one replica at a time', async () => {
    const { ask, receiver, given, storage, target, deliver } = await start()
    const other = await startFixture({ ...given, storage })
    await storage.leases.acquire('events:ops', 'somebody else', 60_000)
    await ask()
    await deliver()
    await deliverDue(other.service, target)
    expect(receiver.received).toEqual([])
    await storage.leases.release('events:ops', 'somebody else')
    await Promise.all([deliver(), deliverDue(other.service, target)])
    expect(receiver.received.length).toBe(1)
  })

  it('leave no other replica to begin before what was sent is noted', async () => {
    const { ask, service, storage } = await start()
    await ask()
    const order: string[] = []
    const { settle } = storage.outbox
    vi.spyOn(storage.outbox, 'settle').mockImplementation(async (attempts) => {
      order.push('sent')
      await new Promise((resolve) => setTimeout(resolve, 50))
      await settle(attempts)
      order.push('noted')
    })
    vi.spyOn(storage.leases, 'release').mockImplementation(async () => void order.push('released'))
    const stop = startDelivery(service)
    await expect.poll(() => order).toEqual(['sent'])
    await stop()
    expect(order).toEqual(['sent', 'noted', 'released'])
  })

  it('become dead letters when they are too many or too old, of which health tells, and can be sent again', async () => {
    const { ask, post, list, deliver, service, storage, receiver } = await start()
    const [first] = [await ask(), await ask(), await ask()]
    expect(await storage.outbox.giveUp({ target: 'ops', mostMs: 60_000, most: 2 })).toBe(1)
    expect((await list('?state=dead')).map(({ event_id }) => event_id)).toEqual([`approval.requested.${first!.id}`])
    expect(await storage.outbox.giveUp({ target: 'ops', mostMs: 0, most: 2 })).toBe(2)
    await giveUpEvents(service)
    expect(service.alarms.all()).toEqual([])
    await deliver()
    expect(receiver.received).toEqual([])
    const path = `/-/events/approval.requested.${first!.id}/resend`
    expect((await post(path, 'op-key', {})).body['failure']!['type']).toBe('invalid_parameters')
    expect((await post(path, 'op-key', { target: 'no', reason: 'r' })).status).toBe(404)
    expect((await post(path, 'op-key', { reason: 'It was down.' })).body).toMatchObject({ targets: ['ops'] })
    await deliver()
    expect(receiver.received.map(({ event }) => event.subject)).toEqual([first!.id])
    const [entry] = await storage.audit.newest(undefined, 1)
    const target = { event_id: `approval.requested.${first!.id}` }
    expect(entry!.operated).toEqual({ name: 'event_resent', target, reason: 'It was down.' })
  })

  it('are listed page by page, to operators', async () => {
    const { ask, call } = await start()
    for (let n = 0; n < 3; n++) await ask()
    const get = async (query: string, bearer = 'op-key') => (await call('GET', `/-/events${query}`, { bearer })).body
    const page = await get('?limit=2')
    expect([page['count'], typeof page['next_cursor']]).toEqual([2, 'string'])
    expect((await get(`?limit=2&cursor=${page['next_cursor']}`))['count']).toBe(1)
    expect((await get('?state=dead'))['count']).toBe(0)
    expect((await get('?target=other'))['count']).toBe(0)
    expect((await get('?cursor=x'))['failure']!['type']).toBe('invalid_parameters')
    for (const bearer of ['ana-key', 'bob-key'])
      expect((await get('', bearer))['failure']!['type']).toBe('insufficient_authority')
    expect((await call('POST', '/-/events/x/resend', { bearer: 'ana-key', body: { reason: 'r' } })).status).toBe(403)
  })

  it('report what is about to expire and what has expired, once each, whichever replica looks', async () => {
    const { ask, service, storage, list } = await start()
    const { id } = await ask()
    const request = (await storage.approvals.get(id))!
    await reportExpiries(service)
    expect((await list()).map(({ type }) => type)).toEqual(['approval.requested'])
    const soon = Date.parse(request.expires_at) - Date.now() + 1000
    const note = (type: 'approval.expiring' | 'approval.expired') =>
      storage.outbox.noteExpiries(type, soon, 10, (given) => ({ id: `${type}.${given.approval_request_id}`, type, subject: given.approval_request_id, body: '{}', targets: ['ops'] })) // prettier-ignore
    expect([await note('approval.expiring'), await note('approval.expiring'), await note('approval.expired')]).toEqual([
      1, 0, 0,
    ])
    expect((await list()).map(({ event_id }) => event_id)[0]).toBe(`approval.expiring.${id}`)
  })

  it('report alarms, and what is not asked for is not written', async () => {
    const { service, list, ask } = await start({ events: ['alarm.raised'] })
    await ask()
    service.alarms.add('clock_unconfirmed')
    service.alarms.add('clock_unconfirmed')
    await reportAlarms(service)
    await reportAlarms(service)
    expect((await list()).map(({ type, subject }) => [type, subject])).toEqual([['alarm.raised', 'clock_unconfirmed']])
  })

  it('report an alarm again that is raised again', async () => {
    const { service, list } = await start({ events: ['alarm.raised'] })
    for (let times = 0; times < 2; times++) {
      service.alarms.add('clock_unconfirmed')
      await reportAlarms(service)
      service.alarms.clear('clock_unconfirmed')
    }
    expect((await list()).map(({ subject }) => subject)).toEqual(['clock_unconfirmed', 'clock_unconfirmed'])
  })

  it('report an alarm later that the store could not take', async () => {
    const { service, list, storage } = await start({ events: ['alarm.raised'] })
    service.alarms.add('clock_unconfirmed')
    vi.spyOn(storage.outbox, 'add').mockRejectedValueOnce(new Error('no connection'))
    await expect(reportAlarms(service)).rejects.toThrow('no connection')
    await reportAlarms(service)
    expect((await list()).map(({ subject }) => subject)).toEqual(['clock_unconfirmed'])
  })
})
