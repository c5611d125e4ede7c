import { describe, expect, it } from 'vitest'
import { verifyDetached } from '../../src/crypto/jws/jws.js'
import { canonicalBytes } from '../../src/crypto/json/canonical.js'
import type { Capability, JsonObject } from '../../src/protocol/manifest.js'
import { isApprovalNeeded } from '../../src/runtime/approvals/conditions.js'
import type { HandlerContext } from '../../src/runtime/index.js'
import { StorageUnavailable } from '../../src/runtime/storage/contract.js'
import { openSqlite } from '../../src/runtime/storage/sqlite/index.js'
import { capability, input } from './fixture/manifest.js'
import { KEYS, startFixture, type Fixture, type Reading } from './fixture/service.js'

const policy = {
  allowed_grant_types: ['one_time', 'session_bound'],
  default_grant_type: 'one_time',
  expires_in_seconds: 900,
  max_uses: 3,
} as const
const book = (differences: Partial<Capability> = {}) =>
  capability({
    inputs: [input('hotel'), input('price', { type: 'number', required: false, default: 10 })],
    side_effect: { type: 'irreversible' },
    approval: { required: { when: [{ input: 'price', above: 5 }] }, grant_policy: policy },
    ...differences,
  })

const start = (effects: unknown[] = [], approver_scope?: string, limits = {}) =>
  startFixture({
    limits,
    capabilities: { book: book(), other: book() },
    handlers: { book: (given: unknown) => (effects.push(given), {}), other: () => ({}) },
    implementation: { previews: { book: ({ hotel }: { hotel: string }) => ({ shows: hotel }) } },
    manifest: {
      approvals: {
        request_ttl: 'PT1H',
        denial_holds: 'PT10M',
        allow_agents: false,
        separation_of_duties: true,
        ...(approver_scope && { approver_scope }),
      },
    },
  })

const asked = { parameters: { hotel: 'Ritz' } }

async function pending(
  fixture: Fixture,
  body: object = asked,
  token?: string,
): Promise<{ token: string; failure: Reading; id: string }> {
  const bearer = token ?? (await fixture.root({ subject: 'agent:planner', session_id: 's-1' })).token
  const failure = (await fixture.invoke('book', bearer, body)).body['failure'] as Reading
  return { token: bearer, failure, id: failure['approval_request_id'] as unknown as string }
}

const approve = (fixture: Fixture, id: string, body: object = {}, bearer = 'bob-key') =>
  fixture.post('/svc/approval_grants', bearer, { approval_request_id: id, grant_type: 'one_time', ...body })

describe('an approval', () => {
  it.each(['always', 'handler'] as const)(
    'that cannot be stored (%s) is not asked for: try again',
    async (required) => {
      const storage = await openSqlite({ file: ':memory:' })
      const open = () => Promise.reject(new StorageUnavailable('no'))
      const { root, invoke } = await startFixture({
        capabilities: { book: book({ approval: { required, grant_policy: policy } }) },
        handlers: { book: (_: object, ctx: HandlerContext) => ctx.approvalRequired() },
        storage: { ...storage, approvals: { ...storage.approvals, open } },
      })
      const { status, body } = await invoke('book', (await root()).token, asked)
      expect([status, body['failure']?.['type']]).toEqual([503, 'service_unavailable'])
    },
  )

  it('is asked for with what the caller gave, whatever its preview does with that', async () => {
    const previews = { book: (given: { hotel: string }) => ((given.hotel = 'Savoy'), { shows: given.hotel }) }
    const { invoke, root, call } = await startFixture({
      capabilities: { book: capability({ inputs: [input('hotel')], side_effect: { type: 'irreversible' }, approval: { required: 'always', grant_policy: { allowed_grant_types: ['one_time'], default_grant_type: 'one_time', expires_in_seconds: 60, max_uses: 1 } } }) },
      implementation: { previews } as never,
    })
    const { body } = await invoke('book', (await root()).token, { parameters: { hotel: 'Ritz' } })
    const id = String(body['failure']?.['approval_request_id'])
    const request = await call('GET', `/svc/approval_requests/${id}`, { bearer: 'bob-key' })
    expect(request.body).toMatchObject({ requested_parameters: { hotel: 'Ritz' }, preview: { shows: 'Savoy' } })
  }) // prettier-ignore

  it('tells a preview that takes too long', async () => {
    const heard: unknown[] = []
    const slow = (_: never, { signal }: HandlerContext) => {
      signal.addEventListener('abort', () => heard.push((signal.reason as Error).message))
      return new Promise<never>(() => undefined)
    }
    const fixture = await startFixture({
      limits: { handlerTimeoutMs: 20 },
      capabilities: { book: book() },
      implementation: { previews: { book: slow } },
    })
    const { token } = await fixture.root({ subject: 'agent:planner' })
    expect((await fixture.invoke('book', token, asked)).status).toBe(503)
    expect(heard).toEqual(['The handler took too long.'])
  })

  it('is asked for, given by another principal, and spent by the continuation', async () => {
    const effects: unknown[] = []
    const fixture = await start(effects)
    const { token, failure, id } = await pending(fixture)
    expect(failure).toMatchObject({
      type: 'approval_required',
      retry: false,
      resolution: { action: 'request_approval', recovery_class: 'wait_then_retry' },
      approval_request_id: expect.stringMatching(/^apr_/u) as string,
      requested_parameters_digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/u) as string,
      preview_digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/u) as string,
      grant_policy: policy,
    })
    const granted = await approve(fixture, id)
    expect(granted.status).toBe(200)
    expect(granted.body).toMatchObject({
      grant_id: expect.stringMatching(/^grt_/u) as string,
      approval_request_id: id,
      capability: 'book',
      scope: ['travel.search'],
      requester: { subject: 'agent:planner', root_principal: 'human:ana' },
      approver: 'human:bob',
      parameters_digest: failure['requested_parameters_digest'],
      preview_digest: failure['preview_digest'],
      grant_type: 'one_time',
      session_id: null,
      issued_at: '2026-03-01T12:00:00.000Z',
      expires_at: '2026-03-01T12:15:00.000Z',
      max_uses: 1,
    })
    const { signature, ...grant } = granted.body as unknown as { signature: string }
    expect(
      verifyDetached(
        signature,
        canonicalBytes(grant),
        KEYS.keys.filter((key) => key.role === 'tokens'),
      ),
    ).toBeDefined()
    const approval_grant = granted.body['grant_id']
    const done = await fixture.invoke('book', token, { parameters: { price: 10, hotel: 'Ritz' }, approval_grant })
    expect(done.body['success']).toBe(true)
    expect(effects).toEqual([{ hotel: 'Ritz', price: 10 }])
    const again = await fixture.invoke('book', token, { ...asked, approval_grant })
    expect(again.body['failure']).toMatchObject({ type: 'approval_grant_invalid', reason: 'consumed' })
    expect(effects.length).toBe(1)
    const entry = (await fixture.trail(token)).find(
      (each) => each['event_class'] === 'high_risk_success' && each['entry_type'] === 'invocation',
    )
    expect(entry).toMatchObject({ approval_request_id: id, approval_grant_id: approval_grant })
  })

  it('is not needed below the condition of the manifest', async () => {
    const fixture = await start()
    const { token } = await fixture.root()
    expect((await fixture.invoke('book', token, { parameters: { hotel: 'Ritz', price: 5 } })).status).toBe(200)
  })

  it('is asked for once while a request for the same call is pending', async () => {
    const fixture = await start()
    const { token, id } = await pending(fixture)
    expect((await pending(fixture, asked, token)).id).toBe(id)
    expect((await pending(fixture, { parameters: { hotel: 'Savoy' } }, token)).id).not.toBe(id)
  })

  it.each([
    [{ grant_type: 'forever' }, 400, 'invalid_parameters'],
    [{ max_uses: 0 }, 400, 'invalid_parameters'],
    [{ max_uses: 1.5 }, 400, 'invalid_parameters'],
    [{ max_uses: 2 }, 400, 'grant_policy_violation'],
    [{ expires_in_seconds: 901 }, 400, 'grant_policy_violation'],
    [{ session_id: 's-1' }, 400, 'grant_policy_violation'],
    [{ grant_type: 'session_bound' }, 400, 'grant_policy_violation'],
    [{ grant_type: 'session_bound', session_id: 's-1', max_uses: 4 }, 400, 'grant_policy_violation'],
    [{ capability: 'other' }, 400, 'invalid_parameters'],
    [{ approval_request_id: 'apr_unknown' }, 404, 'approval_request_not_found'],
  ])('with %j is refused: %i %s, and the request stays pending', async (body, status, type) => {
    const fixture = await start()
    const { id } = await pending(fixture)
    const reply = await approve(fixture, id, body)
    expect([reply.status, reply.body['failure']?.['type']]).toEqual([status, type])
    expect((await fixture.storage.approvals.get(id))?.status).toBe('pending')
  })

  it('is not given by the requester, its root principal, an agent, a stranger, or an approver of something else', async () => {
    const fixture = await start([], 'travel.approver')
    const { id } = await pending(fixture)
    const refusals = await Promise.all([
      approve(fixture, id, {}, (await fixture.issued('bob-key', { scope: ['approver:trip'] })).token),
      approve(fixture, id, {}, 'ana-key'),
      approve(fixture, id, {}, 'bot-key'),
      approve(
        fixture,
        id,
        {},
        (await fixture.issued('bob-key', { scope: ['approver:book'], subject: 'agent:helper' })).token,
      ),
      approve(fixture, 'apr_unknown', {}, 'ana-key'),
    ])
    for (const reply of refusals)
      expect([reply.status, reply.body['failure']?.['type']]).toEqual([403, 'approver_not_authorized'])
    expect((await approve(fixture, id, {}, 'nobody')).status).toBe(401)
    expect((await fixture.storage.approvals.get(id))?.status).toBe('pending')
    expect(
      (await approve(fixture, id, {}, (await fixture.issued('bob-key', { scope: ['approver:book'] })).token)).status,
    ).toBe(200)
  })

  it('is given once', async () => {
    const fixture = await start()
    const { id } = await pending(fixture)
    const replies = await Promise.all([approve(fixture, id), approve(fixture, id), approve(fixture, id)])
    expect(replies.map((reply) => reply.status).sort()).toEqual([200, 409, 409])
  })

  it('may be denied, with a reason that the requester can read', async () => {
    const fixture = await start()
    const { id, token } = await pending(fixture)
    const denied = await fixture.post(`/svc/approval_requests/${id}/deny`, 'bob-key', { reason: 'Too dear.' })
    expect(denied.body).toMatchObject({ status: 'denied', approver: 'human:bob', reason: 'Too dear.' })
    const read = await fixture.call('GET', `/svc/approval_requests/${id}`, { bearer: token })
    expect(read.body).toMatchObject({ status: 'denied', reason: 'Too dear.', preview: { shows: 'Ritz' } })
    expect((await approve(fixture, id)).body['failure']?.['type']).toBe('approval_request_closed')
    expect((await fixture.call('GET', `/svc/approval_requests/${id}`, { bearer: 'eve-key' })).status).toBe(404)
  })

  it('is shown to its approver with what it does, by whose authority, and what was decided before', async () => {
    const fixture = await startFixture({
      capabilities: { book: book({ description: 'Books a room.', observability: { fields_logged: ['hotel'] } }) },
    })
    const budget = { currency: 'EUR', max_amount: 100 }
    const root = await fixture.root({ budget, purpose_parameters: { task_id: 't-1' } })
    const child = await fixture.issued(root.token, { scope: ['travel.search'], subject: 'agent:planner', parent_token: root.token_id, ttl_hours: 1 })
    const first = await pending(fixture, asked, child.token)
    await fixture.post(`/svc/approval_requests/${first.id}/deny`, 'bob-key', { reason: 'Too dear.' })
    const { id } = await pending(fixture, { parameters: { hotel: 'Savoy' } }, child.token)
    const read = async (bearer: string) => (await fixture.call('GET', `/svc/approval_requests/${id}`, { bearer })).body
    expect(await read('bob-key')).toMatchObject({
      requested_parameters: { hotel: 'Savoy', price: 10 },
      context: {
        description: 'Books a room.',
        side_effect: { type: 'irreversible' },
        token: { budget, task_id: 't-1', expires_at: '2026-03-01T13:00:00.000Z' },
        delegation: ['human:ana', 'human:ana', 'agent:planner'],
        logged_inputs: { hotel: 'Savoy' },
        earlier: { counts: { approved: 0, denied: 1 }, last: [{ status: 'denied', approver: 'human:bob', reason: 'Too dear.' }] },
      },
    })
    for (const bearer of [child.token, 'ana-key']) expect(await read(bearer)).not.toHaveProperty('context')
    for (const own of ['credential', 'root_token_id']) expect(await read('bob-key')).not.toHaveProperty(own)
  }) // prettier-ignore

  it('may be taken back by whoever gave it, and by nobody else, while it has a use left', async () => {
    const fixture = await start()
    const { id, token } = await pending(fixture)
    const grant = (await approve(fixture, id)).body['grant_id'] as unknown as string
    const revoke = (bearer: string, grantId = grant, body: object | undefined = { reason: 'A mistake.' }) =>
      fixture.post(`/-/approval_grants/${grantId}/revoke`, bearer, body)
    for (const bearer of ['eve-key', 'ana-key', token]) expect((await revoke(bearer)).status).toBe(404)
    expect((await revoke('bob-key', 'grt_none')).status).toBe(404)
    expect((await revoke('bob-key', grant, { why: 'x' })).status).toBe(400)
    expect((await revoke('bob-key')).body).toEqual({ revoked: true, grant_id: grant, approval_request_id: id })
    expect((await revoke('bob-key')).body['failure']?.['type']).toBe('approval_request_closed')
    const late = await fixture.invoke('book', token, { ...asked, approval_grant: grant })
    expect(late.body['failure']).toMatchObject({ type: 'approval_grant_invalid', reason: 'revoked' })
    const entry = (await fixture.trail(token)).find(({ entry_type }) => entry_type === 'grant_revoked')
    expect(entry).toMatchObject({ actor_key: 'human:bob', approval_grant_id: grant, approval: { reason: 'A mistake.' }, credential: { api_key: 'bob' } })
  }) // prettier-ignore

  it('may be granted with a reason and without a type; the trail says what was asked and decided', async () => {
    const fixture = await startFixture({
      capabilities: { book: book({ observability: { fields_logged: ['hotel', 'shows'] } }) },
      implementation: { previews: { book: ({ hotel }: { hotel: string }) => ({ shows: hotel, secret: 's' }) } },
    })
    const { id, token, failure } = await pending(fixture)
    const granted = await fixture.post('/svc/approval_grants', 'bob-key', { approval_request_id: id, reason: 'Once.' })
    expect(granted.body).toMatchObject({ grant_type: 'one_time', max_uses: 1 })
    const read = await fixture.call('GET', `/svc/approval_requests/${id}`, { bearer: token })
    expect(read.body).toMatchObject({ status: 'approved', reason: 'Once.' })
    const second = await pending(fixture, { parameters: { hotel: 'Savoy' } }, token)
    await fixture.post(`/svc/approval_requests/${second.id}/deny`, 'bob-key', { reason: 'Too dear.' })
    const facts = (await fixture.trail(token)).filter(({ approval_request_id: about }) => about === id || about === second.id)
    const digests = { parameters_digest: failure['requested_parameters_digest'], preview_digest: failure['preview_digest'] }
    const others = { parameters_digest: second.failure['requested_parameters_digest'], preview_digest: second.failure['preview_digest'] }
    const rows = facts.filter(({ approval }) => approval !== undefined)
    expect(rows.map(({ entry_type, parameters, approval }) => [entry_type, parameters, approval])).toEqual([
      ['approval_denied', { hotel: 'Savoy' }, { ...others, reason: 'Too dear.' }],
      ['approval_requested', { hotel: 'Savoy' }, { ...others, preview: { shows: 'Savoy' } }],
      ['approval_granted', { hotel: 'Ritz' }, { ...digests, requester: 'agent:planner', grant_type: 'one_time', max_uses: 1, reason: 'Once.' }],
      ['approval_requested', { hotel: 'Ritz' }, { ...digests, preview: { shows: 'Ritz' } }],
    ])
  }) // prettier-ignore

  it('expires', async () => {
    const fixture = await start()
    const { id, token } = await pending(fixture)
    const { id: second } = await pending(fixture, { parameters: { hotel: 'Savoy' } }, token)
    const grant = (await approve(fixture, second)).body['grant_id']
    fixture.time.now += 3600_000
    expect((await approve(fixture, id)).body['failure']?.['type']).toBe('approval_request_closed')
    const late = await fixture.invoke('book', token, { parameters: { hotel: 'Savoy' }, approval_grant: grant })
    expect(late.body['failure']).toMatchObject({ type: 'approval_grant_invalid', reason: 'expired' })
  })

  it('is listed for those who may decide and those who asked', async () => {
    const fixture = await start()
    const { id, token } = await pending(fixture)
    const list = async (bearer: string, query = '') =>
      (
        (await fixture.call('GET', `/svc/approval_requests${query}`, { bearer })).body[
          'approval_requests'
        ] as unknown as Reading[]
      ).map((each) => each['approval_request_id'])
    expect(await list('bob-key', '?status=pending')).toEqual([id])
    expect(await list('bob-key', '?status=denied')).toEqual([])
    expect(await list(token)).toEqual([id])
    expect(await list('eve-key')).toEqual([])
  })

  it('answers a reader who asks for longer than the service waits when that time is over', async () => {
    const fixture = await start([], undefined, { longPollSeconds: 1 })
    const { id, token } = await pending(fixture)
    const reply = await fixture.call('GET', `/svc/approval_requests/${id}?wait=20`, { bearer: token })
    expect([reply.status, reply.body['status']]).toEqual([200, 'pending'])
  })

  it('answers a waiting reader as soon as it is decided', async () => {
    const fixture = await start()
    const { id, token } = await pending(fixture)
    const waiting = fixture.call('GET', `/svc/approval_requests/${id}?wait=5`, { bearer: token })
    await approve(fixture, id)
    expect((await waiting).body['status']).toBe('approved')
  })
})

describe('a grant', () => {
  const granted = async (fixture: Fixture, body: object = {}) => {
    const request = await pending(fixture)
    return { ...request, grant: (await approve(fixture, request.id, body)).body['grant_id'] }
  }

  it('does not cover other parameters, capabilities, callers or sessions', async () => {
    const fixture = await start()
    const { token, grant } = await granted(fixture, { grant_type: 'session_bound', session_id: 's-1' })
    const reason = async (bearer: string, name: string, parameters: object) =>
      (await fixture.invoke(name, bearer, { parameters, approval_grant: grant })).body['failure']?.['reason']
    const other = await fixture.root({ subject: 'agent:worker', session_id: 's-1' })
    const elsewhere = await fixture.root({ subject: 'agent:planner', session_id: 's-2' })
    const eve = await fixture.issued('eve-key', { scope: ['travel.search'], subject: 'agent:planner' })
    expect(await reason(token, 'book', { hotel: 'Savoy' })).toBe('parameters_mismatch')
    expect(await reason(token, 'other', { hotel: 'Ritz' })).toBe('capability_mismatch')
    expect(await reason(other.token, 'book', { hotel: 'Ritz' })).toBe('requester_mismatch')
    expect(await reason(elsewhere.token, 'book', { hotel: 'Ritz' })).toBe('session_mismatch')
    expect(await reason(eve.token, 'book', { hotel: 'Ritz' })).toBe('not_found')
    expect((await fixture.storage.approvals.grant(grant as unknown as string))?.uses).toBe(0)
  })

  it('is spent as often as it says, however many ask at once', async () => {
    const effects: unknown[] = []
    const fixture = await start(effects)
    const { token, grant } = await granted(fixture, { grant_type: 'session_bound', session_id: 's-1', max_uses: 2 })
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => fixture.invoke('book', token, { ...asked, approval_grant: grant })),
    )
    expect(replies.filter((reply) => reply.body['success']).length).toBe(2)
    expect(effects.length).toBe(2)
  })

  it('stays used when the handler fails', async () => {
    const fixture = await startFixture({
      capabilities: { book: book() },
      handlers: { book: () => { throw new Error('no') } },
    }) // prettier-ignore
    const { token, grant } = await granted(fixture)
    const attempt = () => fixture.invoke('book', token, { ...asked, approval_grant: grant })
    expect((await attempt()).body['failure']?.['type']).toBe('outcome_unknown')
    expect((await attempt()).body['failure']).toMatchObject({ type: 'approval_grant_invalid', reason: 'consumed' })
  })
})

describe('an approval that the handler decides about', () => {
  const byHandler = (act: (context: HandlerContext) => unknown) =>
    startFixture({
      capabilities: { book: book({ approval: { required: 'handler', grant_policy: policy } }) },
      handlers: { book: (_: object, context: HandlerContext) => act(context) },
    })

  it('is asked for with a preview, and given for the same parameters', async () => {
    const seen: unknown[] = []
    const fixture = await byHandler((context) => {
      context.approvalRequired({ total: 10 })
      seen.push(context.approval)
      return {}
    })
    const { token, failure, id } = await pending(fixture)
    expect(failure).toMatchObject({
      type: 'approval_required',
      preview_digest: expect.stringMatching(/^sha256:/u) as string,
    })
    const grant = (await approve(fixture, id)).body
    expect((await fixture.invoke('book', token, { ...asked, approval_grant: grant['grant_id'] })).status).toBe(200)
    expect(seen).toEqual([
      { approval_request_id: id, grant_id: grant['grant_id'], preview_digest: grant['preview_digest'] },
    ])
  })

  it('is not asked for where the handler does not want one', async () => {
    const fixture = await byHandler(() => ({}))
    expect((await fixture.invoke('book', (await fixture.root()).token, asked)).status).toBe(200)
  })
})

describe('a condition of the manifest', () => {
  it.each<[object, object, boolean]>([
    [{ equals: 5 }, { price: 5 }, true],
    [{ equals: 5 }, { price: 6 }, false],
    [{ not_equals: 5 }, { price: 6 }, true],
    [{ in: [1, 2] }, { price: 2 }, true],
    [{ in: [1, 2] }, { price: 3 }, false],
    [{ above: 5 }, { price: 5 }, false],
    [{ above: 5 }, { price: 5.01 }, true],
    [{ at_least: 5 }, { price: 5 }, true],
    [{ below: 5 }, { price: 4 }, true],
    [{ below: 5 }, { price: 5 }, false],
    [{ at_most: 5 }, { price: 5 }, true],
    [{ above: 1, below: 5 }, { price: 3 }, true],
    [{ above: 1, below: 5 }, { price: 6 }, false],
    [{ above: 1 }, {}, true],
    [{ above: 'P7D' }, { price: 'P10D' }, true],
    [{ above: 'P7D' }, { price: 'PT100H' }, false],
    [{ at_least: 'P7D' }, { price: 'P1W' }, true],
    [{ above: '2026-06-01T00:00:00Z' }, { price: '2026-05-31T23:00:00-05:00' }, true],
    [{ above: '2026-06-01T00:00:00Z' }, { price: '2026-06-01t01:00:00+05:00' }, false],
    [{ below: '2026-06-01' }, { price: '2026-05-31' }, true],
    [{ above: '2026-06-01T00:00:00Z' }, { price: '2026-06-30T23:59:60Z' }, true],
    [{ above: 5 }, { price: '6' }, true],
    [{ above: 5 }, { price: [4] }, true],
  ])('%j of %j is %s', (comparison, inputs, needed) => {
    const when = [{ input: 'price', ...comparison }]
    expect(isApprovalNeeded({ required: { when }, grant_policy: policy }, inputs as JsonObject, undefined)).toBe(needed)
  })
})

it('shows a request to its requester and to the root principal, and not to another agent of the same principal', async () => {
  const fixture = await start()
  const { token, id } = await pending(fixture)
  const other = (await fixture.root({ subject: 'agent:other' })).token
  const read = async (bearer: string) => {
    const one = await fixture.call('GET', `/svc/approval_requests/${id}`, { bearer })
    const list = await fixture.call('GET', '/svc/approval_requests', { bearer })
    return [one.status, list.body['count']]
  }
  expect([await read(token), await read('ana-key'), await read(other)]).toEqual([
    [200, 1],
    [200, 1],
    [404, 0],
  ])
})

it('shows no request to a sibling that names itself as the requester, and any to a token of the same names', async () => {
  const fixture = await start()
  const { id } = await pending(fixture)
  const { requester } = (await fixture.storage.approvals.get(id))!
  const parent = await fixture.root({ subject: 'agent:other' })
  const named = { parent_token: parent.token_id, subject: requester.subject, scope: ['travel.search'] }
  const sibling = await fixture.issued(parent.token, named)
  const again = await fixture.root({ subject: requester.subject })
  const read = async ({ token }: { readonly token: string }) => {
    const one = await fixture.call('GET', `/svc/approval_requests/${id}`, { bearer: token })
    const list = await fixture.call('GET', '/svc/approval_requests', { bearer: token })
    return [one.status, list.body['count']]
  }
  expect([await read(sibling), await read(again)]).toEqual([
    [404, 0],
    [200, 1],
  ])
})

/** The trail cannot take the next entry, and whatever comes after it. */
const losesTrail = ({ storage }: Fixture) =>
  void Object.assign(storage.audit, { append: () => Promise.reject(new StorageUnavailable('The disk is full.')) })

it.each([
  ['granted', (fixture: Fixture, id: string) => approve(fixture, id)],
  ['denied', (fixture: Fixture, id: string) => fixture.post(`/svc/approval_requests/${id}/deny`, 'bob-key')],
  ['withdrawn', (fixture: Fixture, id: string, token: string) => fixture.post(`/svc/approval_requests/${id}/withdraw`, token)],
] as const)('answers that a request is %s only when the trail has it', async (_, decide) => {
  const fixture = await start()
  const { id, token } = await pending(fixture)
  losesTrail(fixture)
  expect((await decide(fixture, id, token)).status).toBe(503)
}) // prettier-ignore

it('answers that a grant is revoked only when the trail has it', async () => {
  const fixture = await start()
  const { id } = await pending(fixture)
  const { body } = await approve(fixture, id)
  losesTrail(fixture)
  expect((await fixture.post(`/-/approval_grants/${String(body['grant_id'])}/revoke`, 'bob-key')).status).toBe(503)
})

it('asks for no approval whose entry the trail did not take, though it takes the next', async () => {
  const fixture = await start()
  const { token } = await fixture.root({ subject: 'agent:planner', session_id: 's-1' })
  const { audit } = fixture.storage
  const append = audit.append.bind(audit)
  let isFull = true
  Object.assign(audit, {
    append: (...given: Parameters<typeof append>) => {
      if (!isFull) return append(...given)
      isFull = false
      return Promise.reject(new StorageUnavailable('The disk is full.'))
    },
  })
  expect((await fixture.invoke('book', token, asked)).status).toBe(503)
})
