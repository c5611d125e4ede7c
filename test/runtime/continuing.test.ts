import { describe, expect, it, vi } from 'vitest'
import { sha256Hex } from '../../src/crypto/json/digest.js'
import type { Capability } from '../../src/protocol/manifest.js'
import type { HandlerContext } from '../../src/runtime/index.js'
import { openSqlite } from '../../src/runtime/storage/sqlite/index.js'
import { capability, input } from './fixture/manifest.js'
import { API_KEYS, startFixture, type Fixture, type Reading } from './fixture/service.js'

const policy = {
  allowed_grant_types: ['one_time', 'session_bound'],
  default_grant_type: 'one_time',
  expires_in_seconds: 900,
  max_uses: 2,
} as const

const book = (required: 'always' | 'handler' = 'always'): Capability =>
  capability({
    inputs: [input('hotel')],
    side_effect: { type: 'irreversible' },
    approval: { required, grant_policy: policy },
  })

async function start(given: Parameters<typeof startFixture>[0] = {}) {
  const effects: unknown[] = []
  const fixture = await startFixture({
    capabilities: { book: book() },
    handlers: { book: (inputs: unknown) => (effects.push(inputs), {}) },
    manifest: {
      approvals: { request_ttl: 'PT1H', denial_holds: 'PT10M', allow_agents: false, separation_of_duties: true },
    },
    ...given,
  })
  const { token } = await fixture.root({ subject: 'agent:planner', session_id: 's-1' })
  const call = (hotel = 'Ritz', more: object = {}, bearer = token) =>
    fixture.invoke('book', bearer, { parameters: { hotel }, approval: 'continue', ...more })
  const asked = async () => (await call()).body['failure']!['approval_request_id'] as unknown as string
  return { fixture, effects, token, call, asked }
}

/** What happens once the store has said which grants a call has, and before the service acts on it. */
function afterNextSearch({ service }: Fixture, happens: () => Promise<unknown>) {
  const { approvals } = service.storage
  const earlier = approvals.earlier.bind(approvals)
  vi.spyOn(approvals, 'earlier').mockImplementationOnce(async (...asked) => {
    const found = await earlier(...asked)
    await happens()
    return found
  })
}

const approve = (fixture: Fixture, id: string, more: object = {}) =>
  fixture.post('/svc/approval_grants', 'bob-key', { approval_request_id: id, grant_type: 'one_time', ...more })
const withdraw = (fixture: Fixture, id: string, bearer: string) =>
  fixture.post(`/svc/approval_requests/${id}/withdraw`, bearer, {})
const deny = (fixture: Fixture, id: string, reason: string) =>
  fixture.post(`/svc/approval_requests/${id}/deny`, 'bob-key', { reason })
const typeOf = ({ body }: { readonly body: Reading }) => body['failure']?.['type']

describe('the same call with approval "continue"', () => {
  it('goes on under the grant of its own request, once', async () => {
    const { fixture, effects, call, asked } = await start()
    const id = await asked()
    await approve(fixture, id)
    expect((await call()).status).toBe(200)
    expect(effects).toEqual([{ hotel: 'Ritz' }])
    const again = (await call()).body['failure'] as Reading
    expect([again['type'], again['approval_request_id'] === (id as never)]).toEqual(['approval_required', false])
    expect(effects).toHaveLength(1)
  })

  it('goes on where the handler asks for the approval', async () => {
    const given = { capabilities: { book: book('handler') }, handlers: { book: (_: object, ctx: HandlerContext) => (ctx.approvalRequired(), {}) } } // prettier-ignore
    const { fixture, call, asked } = await start(given)
    await approve(fixture, await asked())
    expect((await call()).status).toBe(200)
  })

  it('keeps one idempotency key from the question to the answer', async () => {
    const { fixture, effects, token } = await start()
    const body = { parameters: { hotel: 'Ritz' }, approval: 'continue' }
    const keyed = () => fixture.invoke('book', token, body, { 'Idempotency-Key': 'k-1' })
    const id = (await keyed()).body['failure']!['approval_request_id'] as unknown as string
    await approve(fixture, id)
    const first = await keyed()
    const second = await keyed()
    expect([first.status, second.status]).toEqual([200, 200])
    expect(second.body['invocation_id']).toEqual(first.body['invocation_id'])
    expect(effects).toHaveLength(1)
  })

  it.each([
    ['other parameters', (one: Started) => one.call('Savoy')],
    ['another task', (one: Started) => one.call('Ritz', { task_id: 't-2' })],
    ['another session', async (one: Started) => one.call('Ritz', {}, (await one.fixture.root({ subject: 'agent:planner', session_id: 's-2' })).token)], // prettier-ignore
    ['another subject', async (one: Started) => one.call('Ritz', {}, (await one.fixture.root({ subject: 'agent:other', session_id: 's-1' })).token)], // prettier-ignore
    ['no such member', (one: Started) => one.fixture.invoke('book', one.token, { parameters: { hotel: 'Ritz' } })],
  ])('N13: asks anew for %s', async (_, other) => {
    const one = await start()
    await approve(one.fixture, await one.asked())
    expect(typeOf(await other(one))).toBe('approval_required')
    expect(one.effects).toEqual([])
  })

  it('asks anew for a sibling that names itself as the requester, and for whoever holds a revoked chain', async () => {
    const one = await start()
    const { fixture, effects, call, asked } = one
    const parent = await fixture.root({ subject: 'agent:other', session_id: 's-1' })
    const sibling = await fixture.issued(parent.token, { parent_token: parent.token_id, subject: 'agent:planner', scope: ['travel.search'] }) // prettier-ignore
    const id = await asked()
    await approve(fixture, id)
    expect(typeOf(await call('Ritz', {}, sibling.token))).toBe('approval_required')
    expect(typeOf(await withdraw(fixture, id, sibling.token))).toBe('approval_request_not_found')
    const { jti } = JSON.parse(Buffer.from(one.token.split('.')[1]!, 'base64url').toString()) as { jti: string }
    await fixture.post('/svc/tokens/revoke', 'ana-key', { token_id: jti })
    const { token } = await fixture.root({ subject: 'agent:planner', session_id: 's-1' })
    expect(typeOf(await call('Ritz', {}, token))).toBe('approval_required')
    expect(effects).toEqual([])
  })

  it('asks anew for a chain of the same names, where a token above the one that asked was revoked', async () => {
    const { fixture, effects, call } = await start()
    const chain = async () => {
      const above = await fixture.root({ subject: 'agent:boss', session_id: 's-1' })
      const body = { parent_token: above.token_id, subject: 'agent:planner', scope: ['travel.search'] }
      return { above, below: await fixture.issued(above.token, body) }
    }
    const [first, second] = [await chain(), await chain()]
    const asked = await call('Ritz', {}, first.below.token)
    await approve(fixture, String(asked.body['failure']!['approval_request_id']))
    await fixture.post('/svc/tokens/revoke', 'ana-key', { token_id: first.above.token_id })
    expect(typeOf(await call('Ritz', {}, second.below.token))).toBe('approval_required')
    expect(effects).toEqual([])
  })

  it('goes on by the task that the token names, whether or not the call repeats it', async () => {
    const { fixture, effects, call } = await start()
    const { token } = await fixture.root({ subject: 'agent:planner', purpose_parameters: { task_id: 't-1' } })
    const asked = await call('Ritz', {}, token)
    await approve(fixture, String(asked.body['failure']!['approval_request_id']))
    expect((await call('Ritz', { task_id: 't-1' }, token)).status).toBe(200)
    expect(effects).toHaveLength(1)
  })

  it('goes on in the session that it was asked in, where the approver leaves the terms to the policy', async () => {
    const bound = { ...policy, default_grant_type: 'session_bound' } as const
    const capabilities = { book: { ...book(), approval: { required: 'always', grant_policy: bound } } as Capability }
    const { fixture, call, asked } = await start({ capabilities })
    const id = await asked()
    const { body } = await fixture.post('/svc/approval_grants', 'bob-key', { approval_request_id: id })
    expect(body).toMatchObject({ grant_type: 'session_bound', session_id: 's-1', max_uses: 2 })
    expect([(await call()).status, (await call()).status]).toEqual([200, 200])
    expect(typeOf(await call())).toBe('approval_required')
  })

  it('N13: goes on for parameters of equal canonical form, once, whatever the order of members and the form of numbers', async () => {
    const inputs = [input('order', { type: 'object' })]
    const { fixture, effects, token } = await start({ capabilities: { book: { ...book(), inputs } } })
    const send = (text: string) => fixture.call('POST', '/svc/invoke/book', { bearer: token, text: `{"parameters":{"order":${text}},"approval":"continue"}` }) // prettier-ignore
    const first = await send('{"a":1,"b":[1e2,"\u00e9"]}')
    await approve(fixture, first.body['failure']!['approval_request_id'] as unknown as string)
    const others = ['{"b":[100,"e\u0301"],"a":1}', '{"a":"1","b":[100,"é"]}', '{"a":1,"b":["é",100]}', '{"a":1,"b":[100,"é"],"c":null}'] // prettier-ignore
    for (const other of others) expect(typeOf(await send(other))).toBe('approval_required')
    const statuses = [await send('{"b":[100.0,"é"],"a":1.0}'), await send('{"a":1,"b":[100,"é"]}')]
    expect([statuses[0]!.status, typeOf(statuses[1]!), effects.length]).toEqual([200, 'approval_required', 1])
  })

  it.each<[string, (one: Started, id: string, grant: string) => unknown]>([
    ['its request was withdrawn', ({ fixture, token }, id) => withdraw(fixture, id, token)],
    ['its grant was revoked', ({ fixture }, _, grant) => fixture.post(`/-/approval_grants/${grant}/revoke`, 'bob-key', { reason: 'No.' })],
    ['its grant has expired', ({ fixture }) => void (fixture.time.now += 901_000)],
    ['its request has expired', ({ fixture }) => void (fixture.time.now += 3_601_000)],
  ])('N13: opens a new request where %s', async (_, end) => {
    const one = await start()
    const id = await one.asked()
    const { body } = await approve(one.fixture, id)
    const ended = (await end(one, id, String(body['grant_id']))) as { readonly status?: number } | undefined
    expect(ended?.status ?? 200).toBe(200)
    const again = await one.call()
    expect(typeOf(again)).toBe('approval_required')
    expect(again.body['failure']!['approval_request_id']).not.toBe(id)
    expect(one.effects).toEqual([])
  }) // prettier-ignore

  it('N13: is answered with the denial after one, and opens a new request when that no longer holds', async () => {
    const { fixture, effects, call, asked } = await start()
    const id = await asked()
    await fixture.post(`/svc/approval_requests/${id}/deny`, 'bob-key', { reason: 'Too dear' })
    const { failure } = (await call()).body
    expect([failure!['approval_request_id'], failure!['decision']!['status']]).toEqual([id, 'denied'])
    fixture.time.now += 601_000
    expect(await asked()).not.toBe(id)
    expect(effects).toEqual([])
  })

  it('is refused beside approval_grant, and with another word', async () => {
    const { call } = await start()
    expect(typeOf(await call('Ritz', { approval_grant: 'grt_1' }))).toBe('invalid_parameters')
    expect(typeOf(await call('Ritz', { approval: 'wait' }))).toBe('invalid_parameters')
  })

  it('has one effect when it is made twice at once, and never opens a new request meanwhile', async () => {
    let proceed = (): void => undefined
    const waits = new Promise<void>((resolve) => (proceed = resolve))
    let effects = 0
    const { fixture, call, asked } = await start({ handlers: { book: async () => ((effects += 1), await waits, {}) } })
    await approve(fixture, await asked())
    const first = call()
    await expect.poll(() => effects).toBe(1)
    const second = await call()
    expect([second.status, typeOf(second)]).toEqual([409, 'concurrent_request_rejected'])
    proceed()
    expect((await first).status).toBe(200)
    const listed = await fixture.call('GET', '/svc/approval_requests?status=pending', { bearer: 'bob-key' })
    expect(listed.body['approval_requests']).toEqual([])
  })

  it('is answered with its request, and opens no other, where it is approved between the search for a grant and the question', async () => {
    const { fixture, effects, call, asked } = await start()
    const id = await asked()
    afterNextSearch(fixture, () => approve(fixture, id))
    expect((await call()).body['failure']).toMatchObject({ type: 'approval_required', approval_request_id: id })
    expect((await call()).status).toBe(200)
    expect(effects).toHaveLength(1)
  })

  it('shows the approver of a second request which invocation the first one led to', async () => {
    const { fixture, call, asked } = await start()
    await approve(fixture, await asked())
    const { body } = await call()
    const shown = await fixture.call('GET', `/svc/approval_requests/${await asked()}`, { bearer: 'bob-key' })
    expect(shown.body['spent_by']).toEqual(body['invocation_id'])
  })

  it('decides once for two replicas on one store', async () => {
    const storage = await openSqlite({ file: ':memory:', clock: () => Date.parse('2026-03-01T12:00:00.000Z') })
    let effects = 0
    const given = { storage, handlers: { book: async () => ((effects += 1), {}) } }
    const one = await start(given)
    const other = await startFixture({ ...given, capabilities: { book: book() } })
    await approve(one.fixture, await one.asked())
    const body = { parameters: { hotel: 'Ritz' }, approval: 'continue' }
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? one.fixture : other).invoke('book', one.token, body)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(effects).toBe(1)
  })
})

type Started = Awaited<ReturnType<typeof start>>

describe('a withdrawn request', () => {
  it('is closed for approvers and frees its place', async () => {
    const { fixture, token, asked } = await start({ limits: { pendingApprovalsPerRequester: 1 } })
    const id = await asked()
    const { status, body } = await withdraw(fixture, id, token)
    expect([status, body['status']]).toEqual([200, 'withdrawn'])
    expect(typeOf(await approve(fixture, id))).toBe('approval_request_closed')
    expect(await asked()).not.toBe(id)
    expect(typeOf(await withdraw(fixture, id, token))).toBe('approval_request_closed')
  })

  it('is on the trail', async () => {
    const { fixture, token, asked } = await start()
    const id = await asked()
    await withdraw(fixture, id, token)
    const trail = await fixture.post(`/svc/audit?approval_request_id=${id}`, token)
    const entries = trail.body['entries'] as unknown as readonly { entry_type: string; actor_key: string }[]
    expect(entries.map(({ entry_type, actor_key }) => [entry_type, actor_key])[0]).toEqual(['approval_withdrawn', 'agent:planner']) // prettier-ignore
  })

  it('takes the grant of an approved one back', async () => {
    const { fixture, token, effects, call, asked } = await start()
    const id = await asked()
    const { body } = await approve(fixture, id)
    expect((await withdraw(fixture, id, token)).body['status']).toBe('approved')
    expect(typeOf(await call())).toBe('approval_required')
    const named = await fixture.invoke('book', token, {
      parameters: { hotel: 'Ritz' },
      approval_grant: body['grant_id'],
    })
    expect(named.body['failure']).toMatchObject({ type: 'approval_grant_invalid', reason: 'revoked' })
    expect(effects).toEqual([])
  })

  it('may be withdrawn by the root principal and by a token above, and is unknown to others', async () => {
    const { fixture, asked } = await start()
    expect(typeOf(await withdraw(fixture, await asked(), 'bob-key'))).toBe('approval_request_not_found')
    expect(typeOf(await withdraw(fixture, await asked(), 'eve-key'))).toBe('approval_request_not_found')
    const { token: other } = await fixture.root({ subject: 'agent:other' })
    expect(typeOf(await withdraw(fixture, await asked(), other))).toBe('approval_request_not_found')
    expect((await withdraw(fixture, await asked(), 'ana-key')).body['status']).toBe('withdrawn')
  })

  it('may be withdrawn by each token above the one that asked, and by no other of theirs', async () => {
    const { fixture, call } = await start()
    const below = ({ token, token_id }: { readonly token: string; readonly token_id: string }, subject: string) =>
      fixture.issued(token, { parent_token: token_id, subject, scope: ['travel.search'] })
    const root = await fixture.root({ subject: 'agent:lead', session_id: 's-1' })
    const planner = await below(root, 'agent:planner')
    const [worker, sibling] = [await below(planner, 'agent:worker'), await below(planner, 'agent:sibling')]
    const asked = async () =>
      (await call('Ritz', {}, worker.token)).body['failure']!['approval_request_id'] as unknown as string
    expect(typeOf(await withdraw(fixture, await asked(), sibling.token))).toBe('approval_request_not_found')
    for (const { token } of [worker, planner, root])
      expect((await withdraw(fixture, await asked(), token)).body['status']).toBe('withdrawn')
  })

  it('is not withdrawn by a key of the root principal that has not all of its scopes', async () => {
    const scopes = ['travel.search', 'travel.book']
    const limited = (id: string, own: readonly string[]) => ({ id, principal: 'human:ana', sha256: sha256Hex(`${id}-key`), scopes: own }) as const // prettier-ignore
    const apiKeys = [...API_KEYS, limited('half', ['travel.search']), limited('whole', scopes)]
    const { fixture, call } = await start({ apiKeys, capabilities: { book: { ...book(), minimum_scope: scopes } } })
    const { token } = await fixture.root({ subject: 'agent:planner', scope: scopes })
    const id = String((await call('Ritz', {}, token)).body['failure']?.['approval_request_id'])
    expect(typeOf(await withdraw(fixture, id, 'half-key'))).toBe('approval_request_not_found')
    expect((await withdraw(fixture, id, 'whole-key')).body['status']).toBe('withdrawn')
  })

  it('is limited in how often it is asked for: N14', async () => {
    const { fixture, token, call } = await start({ limits: { approvalRequestsPerMinute: 3 } })
    const types: unknown[] = []
    for (let n = 0; n < 5; n++) {
      const { body } = await call(`Hotel ${n}`)
      types.push(body['failure']!['type'])
      const id = body['failure']!['approval_request_id'] as unknown as string | undefined
      if (id !== undefined) await withdraw(fixture, id, token)
    }
    expect(types).toEqual([
      'approval_required',
      'approval_required',
      'approval_required',
      'rate_limited',
      'rate_limited',
    ])
  })
})

it('N14: a denial answers ten subjects of one root, and opens nothing', async () => {
  const { fixture, asked } = await start()
  const id = await asked()
  await deny(fixture, id, 'Too dear.')
  for (let n = 0; n < 10; n++) {
    const { token } = await fixture.root({ subject: `agent:a${n}`, session_id: `s-${n}` })
    const { body } = await fixture.invoke('book', token, { parameters: { hotel: 'Ritz' }, approval: 'continue' })
    expect(body['failure']).toMatchObject({ approval_request_id: id, decision: { status: 'denied' } })
  }
  const listed = await fixture.call('GET', '/svc/approval_requests', { bearer: 'ana-key' })
  expect(listed.body['count']).toBe(1)
})

describe('a denial', () => {
  it('answers the same call of anybody under the root principal for ten minutes: N14', async () => {
    const { fixture, call, asked } = await start()
    const id = await asked()
    await deny(fixture, id, 'Too dear.')
    const { token } = await fixture.root({ subject: 'agent:other', session_id: 's-9' })
    for (const answer of [await call(), await call('Ritz', {}, token)])
      expect(answer.body['failure']).toMatchObject({
        type: 'approval_denied',
        detail: 'Denied by a person: Too dear.',
        retry: false,
        resolution: { action: 'contact_service_owner', recovery_class: 'terminal' },
        approval_request_id: id,
        decision: { status: 'denied', reason: 'Too dear.', decided_at: '2026-03-01T12:00:00.000Z' },
      })
    expect((await call('Savoy')).body['failure']!['decision']).toBeUndefined()
    fixture.time.now += 10 * 60_000 + 1
    const later = (await call()).body['failure'] as Reading
    expect([later['approval_request_id'] === (id as never), later['decision']]).toEqual([false, undefined])
  })

  it('shows a redacted caller no reason', async () => {
    const { fixture, token, asked, call } = await start({
      manifest: {
        approvals: { request_ttl: 'PT1H', denial_holds: 'PT10M', allow_agents: false, separation_of_duties: true },
        metadata_disclosure: { failure_detail: 'redacted' },
      } as never,
    })
    const id = await asked()
    await deny(fixture, id, 'Ana is under suspicion.')
    const read = await fixture.call('GET', `/svc/approval_requests/${id}`, { bearer: token })
    expect(read.body).toMatchObject({ status: 'denied', reason: null })
    expect((await call()).body['failure']!['decision']).toEqual({ status: 'denied', decided_at: '2026-03-01T12:00:00.000Z', reason: null }) // prettier-ignore
  })
})

describe('a call that waits', () => {
  const waitOf = async ({ call }: Awaited<ReturnType<typeof start>>) => {
    const { body, headers } = await call()
    return [headers.get('retry-after'), body['failure']!['resolution']!['estimated_availability']]
  }

  it('is told to make the same call again, later each time, and never after the request has expired', async () => {
    const world = await start()
    const { body } = await world.call()
    const id = body['failure']!['approval_request_id'] as never as string
    expect(body['failure']).toMatchObject({
      type: 'approval_required',
      detail: `Wait, then make the same call again: a person decides approval request ${id}, until 2026-03-01 13:00 UTC.`,
      retry: true,
      resolution: { action: 'wait_and_retry', recovery_class: 'wait_then_retry', estimated_availability: '30s' },
    })
    const waits: unknown[] = []
    for (const age of [0, 30, 90, 210, 450, 3585]) {
      world.fixture.time.now = Date.parse('2026-03-01T12:00:00.000Z') + age * 1000
      waits.push(await waitOf(world))
    }
    expect(waits).toEqual([['30', '30s'], ['60', '1m'], ['120', '2m'], ['240', '4m'], ['300', '5m'], ['15', '15s']])
  }) // prettier-ignore

  it('is told to ask where it would not continue', async () => {
    const { fixture, token } = await start()
    const { body, headers } = await fixture.invoke('book', token, { parameters: { hotel: 'Ritz' } })
    expect([body['failure']!['retry'], body['failure']!['resolution'], headers.get('retry-after')]).toMatchObject([false, { action: 'request_approval' }, null]) // prettier-ignore
    expect(body['failure']!['detail']).toMatch(
      /^Approval request \S+ is open until 2026-03-01 13:00 UTC: a person decides it\./u,
    )
  })

  it('leaves an entry each time it is made again', async () => {
    const { fixture, token, call } = await start()
    for (let n = 0; n < 3; n++) await call()
    const calls = (await fixture.trail(token)).filter(({ entry_type }) => entry_type === 'invocation')
    expect(calls.map(({ failure_type }) => failure_type)).toEqual(Array(3).fill('approval_required'))
  })
})

describe('a call that was sent back', () => {
  const sendBack = (fixture: Fixture, id: string, body: object = { reason: 'Which room?', holds: false }) =>
    fixture.post(`/svc/approval_requests/${id}/deny`, 'bob-key', body)

  it('is answered once with the question, then opens a new request', async () => {
    const { fixture, effects, token, call, asked } = await start()
    const id = await asked()
    expect((await sendBack(fixture, id)).body).toMatchObject({ status: 'returned', reason: 'Which room?' })
    const { status, body, headers } = await call()
    expect([status, headers.get('retry-after'), body['failure']]).toMatchObject([403, null, {
      type: 'approval_returned',
      detail: 'Sent back by a person with a question: Which room?',
      retry: false,
      resolution: { action: 'revise_parameters', recovery_class: 'revalidate_then_retry' },
      approval_request_id: id,
      decision: { status: 'returned', reason: 'Which room?', decided_at: '2026-03-01T12:00:00.000Z' },
    }])
    expect(await asked()).not.toBe(id)
    const types = (await fixture.trail(token)).map(({ entry_type }) => entry_type)
    expect([types.includes('approval_returned'), types.includes('approval_denied'), effects]).toEqual([true, false, []])
    expect((await fixture.call('GET', `/svc/approval_requests/${id}`, { bearer: 'bob-key' })).body['answered_at']).toBe('2026-03-01T12:00:00.000Z') // prettier-ignore
  }) // prettier-ignore

  it('is answered so within ten minutes, to its requester, and never with other inputs', async () => {
    const { fixture, call, asked } = await start()
    await sendBack(fixture, await asked())
    expect(typeOf(await call('Savoy'))).toBe('approval_required')
    const { token } = await fixture.root({ subject: 'agent:other', session_id: 's-9' })
    expect(typeOf(await call('Ritz', {}, token))).toBe('approval_required')
    fixture.time.now += 10 * 60_000
    expect(typeOf(await call())).toBe('approval_required')
  })

  it('needs a question, and is decided once', async () => {
    const { fixture, asked } = await start()
    const id = await asked()
    for (const body of [{ holds: false }, { holds: false, reason: ' ' }, { holds: 'no', reason: 'Why?' }])
      expect(typeOf(await sendBack(fixture, id, body))).toBe('invalid_parameters')
    await sendBack(fixture, id)
    expect(typeOf(await sendBack(fixture, id))).toBe('approval_request_closed')
    expect((await approve(fixture, id)).status).toBe(409)
  })
})
