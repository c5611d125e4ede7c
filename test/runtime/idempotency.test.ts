import { describe, expect, it } from 'vitest'
import { capability, declares, input } from './fixture/manifest.js'
import { startFixture } from './fixture/service.js'
import { isLasting } from '../../src/runtime/call/reserve/lasting-refusal.js'
import { StorageUnavailable } from '../../src/runtime/storage/contract.js'
import type { HandlerContext } from '../../src/runtime/index.js'

const capabilities = { pay: capability({ side_effect: { type: 'irreversible' }, inputs: [input('to')] }) }
const key = { 'idempotency-key': 'k-1' }
const toBob = { parameters: { to: 'bob' } }

async function start(pay: () => unknown = () => ({})) {
  const effects: number[] = []
  const fixture = await startFixture({ capabilities, handlers: { pay: () => (effects.push(1), pay()) } })
  return { ...fixture, effects, token: (await fixture.root()).token }
}

describe('an idempotency key', () => {
  it('gives the first answer again, byte for byte', async () => {
    const { invoke, token, effects } = await start()
    const first = await invoke('pay', token, toBob, key)
    const second = await invoke('pay', token, toBob, key)
    expect(second.body).toEqual(first.body)
    expect([first.headers.get('idempotency-replayed'), second.headers.get('idempotency-replayed')]).toEqual([
      null,
      'true',
    ])
    expect(effects.length).toBe(1)
  })

  it('that is not given is no key', async () => {
    const { invoke, token, effects } = await start()
    const replies = [await invoke('pay', token, toBob), await invoke('pay', token, toBob)]
    expect([replies.map(({ status }) => status), effects.length]).toEqual([[200, 200], 2])
  })

  it('is that of one root principal: a subject of the same name has another', async () => {
    const fixture = await startFixture({ capabilities, handlers: { pay: () => ({}) } })
    const tokens = await Promise.all(['ana-key', 'eve-key'].map((bearer) => fixture.issued(bearer, { scope: ['travel.search'], subject: 'agent:w' }))) // prettier-ignore
    const replies = [
      await fixture.invoke('pay', tokens[0]!.token, toBob, key),
      await fixture.invoke('pay', tokens[1]!.token, { parameters: { to: 'eve' } }, key),
    ]
    expect(replies.map(({ status, headers }) => [status, headers.get('idempotency-replayed')])).toEqual([
      [200, null],
      [200, null],
    ])
    expect(replies[0]!.body['invocation_id']).not.toBe(replies[1]!.body['invocation_id'])
  })

  it('holds for a day, where nothing else is set', async () => {
    const { invoke, root, effects, time } = await start()
    const call = async () => invoke('pay', (await root()).token, toBob, key)
    await call()
    time.now += 24 * 3600 * 1000 - 1
    expect([(await call()).headers.get('idempotency-replayed'), effects.length]).toEqual(['true', 1])
    time.now += 1
    expect([(await call()).headers.get('idempotency-replayed'), effects.length]).toEqual([null, 2])
  })

  it('remembers failures of the handler, too', async () => {
    const { invoke, token, effects } = await start(() => { throw new Error('no') }) // prettier-ignore
    expect((await invoke('pay', token, toBob, key)).status).toBe(500)
    expect((await invoke('pay', token, toBob, key)).status).toBe(500)
    expect(effects.length).toBe(1)
  })

  it('is free again after a read that failed and may succeed later', async () => {
    let calls = 0
    const find = (_: object, { fail }: HandlerContext) => (calls++ === 0 ? fail('service_unavailable', 'Not now.') : {})
    const { invoke, root } = await startFixture({ capabilities: { find: capability() }, handlers: { find } })
    const { token } = await root()
    const first = await invoke('find', token, { parameters: {} }, key)
    expect([first.status, first.body['failure']?.['retry']]).toEqual([503, true])
    const second = await invoke('find', token, { parameters: {} }, key)
    expect([second.status, second.headers.get('idempotency-replayed')]).toEqual([200, null])
    const third = await invoke('find', token, { parameters: {} }, key)
    expect([third.headers.get('idempotency-replayed'), calls]).toEqual(['true', 2])
  })

  it('says to another caller of the same subject no more than its class may read', async () => {
    const fixture = await startFixture({
      capabilities: { ...capabilities, pay: { ...capabilities.pay, ...declares('declined') } },
      manifest: { metadata_disclosure: { caller_class: { internal: 'full', default: 'redacted' }, failure_detail: 'policy' } },
      handlers: { pay: (_: object, { fail }: HandlerContext) => fail('declined', 'Account 4711 is empty.') },
    })
    const inside = await fixture.root({ caller_class: 'internal' })
    const first = await fixture.invoke('pay', inside.token, toBob, key)
    expect(first.body['failure']?.['detail']).toBe('Account 4711 is empty.')
    const second = await fixture.invoke('pay', (await fixture.root()).token, toBob, key)
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    expect(JSON.stringify(second.body)).not.toContain('4711')
    expect(second.body).toMatchObject({ success: false, invocation_id: first.body['invocation_id'], failure: { type: 'declined' } })
    expect((await fixture.invoke('pay', inside.token, toBob, key)).body).toEqual(first.body)
  }) // prettier-ignore

  it('says to a caller who may read a part of a failure that part of it', async () => {
    const fixture = await startFixture({
      capabilities: { pay: { ...capabilities.pay, ...declares('declined') } },
      manifest: { metadata_disclosure: { caller_class: { internal: 'full', partner: 'reduced' }, failure_detail: 'policy' } },
      handlers: { pay: (_: object, { fail }: HandlerContext) => fail('declined', 'x'.repeat(300)) },
    })
    const read = async (caller_class: string) => {
      const reply = await fixture.invoke('pay', (await fixture.root({ caller_class })).token, toBob, key)
      return String(reply.body['failure']?.['detail']).length
    }
    expect([await read('internal'), await read('partner'), await read('internal')]).toEqual([300, 200, 300])
  }) // prettier-ignore

  it.each(['always', 'handler'] as const)('tells a call that needs an approval (%s) from its continuation', async (required) => {
    const grant_policy = { allowed_grant_types: ['one_time'], default_grant_type: 'one_time', expires_in_seconds: 900, max_uses: 1 } as const
    const effects: number[] = []
    const fixture = await startFixture({
      capabilities: { book: capability({ side_effect: { type: 'irreversible' }, approval: { required, grant_policy } }) },
      handlers: { book: (_: object, ctx: HandlerContext) => (required === 'handler' && ctx.approvalRequired(), effects.push(1), {}) },
    })
    const { token } = await fixture.root({ subject: 'agent:planner' })
    const call = async (body: object = {}) => (await fixture.invoke('book', token, { parameters: {}, ...body }, key)).body
    const approval_request_id = (await call())['failure']?.['approval_request_id']
    const granted = await fixture.post('/svc/approval_grants', 'bob-key', { approval_request_id, grant_type: 'one_time' })
    const continued = { approval_grant: granted.body['grant_id'] }
    const done = await call(continued)
    expect([done['success'], await call(continued), effects.length]).toEqual([true, done, 1])
    expect([await call(), await call({ approval: 'continue' }), effects.length]).toEqual([done, done, 1])
  }) // prettier-ignore

  it('is the same key whether or not a grant comes along that this call does not need', async () => {
    const grant_policy = { allowed_grant_types: ['one_time'], default_grant_type: 'one_time', expires_in_seconds: 900, max_uses: 1 } as const
    const required = { when: [{ input: 'amount', above: 100 }] }
    const effects: number[] = []
    const fixture = await startFixture({
      capabilities: { pay: capability({ side_effect: { type: 'irreversible' }, inputs: [input('amount', { type: 'number' })], approval: { required, grant_policy } }) },
      handlers: { pay: () => (effects.push(1), {}) },
    })
    const { token } = await fixture.root()
    const ten = { parameters: { amount: 10 } }
    const first = await fixture.invoke('pay', token, ten, key)
    const second = await fixture.invoke('pay', token, { ...ten, approval_grant: 'grt_any' }, key)
    expect([second.body, effects.length]).toEqual([first.body, 1])
  }) // prettier-ignore

  it('does not remember what was refused before the handler ran', async () => {
    const { invoke, token, effects, root } = await start()
    const bound = await root({ purpose_parameters: { task_id: 'a' } })
    expect((await invoke('pay', bound.token, { ...toBob, task_id: 'b' }, key)).status).toBe(403)
    expect((await invoke('pay', token, toBob, key)).status).toBe(200)
    expect(effects.length).toBe(1)
  })

  it.each([
    ['a type that does not fit', { parameters: { to: 5 } }],
    ['an unknown parameter', { parameters: { to: 'bob', from: 'eve' } }],
    ['a missing one', { parameters: {} }],
  ])('remembers what nobody can change: %s', async (_, body) => {
    const { invoke, token, root, effects } = await start()
    const first = await invoke('pay', token, body, key)
    const second = await invoke('pay', (await root()).token, body, key)
    expect([first.status, first.body['failure']?.['type']]).toEqual([400, 'invalid_parameters'])
    expect([second.body, second.headers.get('idempotency-replayed')]).toEqual([first.body, 'true'])
    expect((await invoke('pay', token, toBob, key)).body['failure']).toMatchObject({
      type: 'idempotency_conflict',
      detail: 'This idempotency key was used with other parameters, another budget or other effects.',
    })
    expect((await invoke('pay', token, body, { 'idempotency-key': 'k-2' })).headers.get('idempotency-replayed')).toBeNull()
    expect(effects).toEqual([])
  }) // prettier-ignore

  it('remembers an amount above the declared bound', async () => {
    const cost = { certainty: 'dynamic', financial: { currency: 'EUR', upper_bound: 5, 'x-amount-input': 'amount' } } as const // prettier-ignore
    const pay = capability({ side_effect: { type: 'irreversible' }, inputs: [input('amount', { type: 'number' })], cost }) // prettier-ignore
    const { invoke, root } = await startFixture({ capabilities: { pay } })
    const { token } = await root()
    const first = await invoke('pay', token, { parameters: { amount: 6 } }, key)
    const second = await invoke('pay', token, { parameters: { amount: 6 } }, key)
    expect([first.status, second.body, second.headers.get('idempotency-replayed')]).toEqual([400, first.body, 'true'])
  })

  it('does not remember what a resolver may judge otherwise tomorrow', async () => {
    let known = false
    const to = input('to', { resolution: { mode: 'backend_resolved', resolver_ref: 'people', on_unresolved: 'deny' } })
    const { invoke, root } = await startFixture({
      capabilities: { pay: capability({ inputs: [to] }) },
      implementation: { resolvers: { people: () => (known ? { value: 'bob-1' } : { unresolved: true }) } },
    })
    const { token } = await root()
    expect((await invoke('pay', token, toBob, key)).body['failure']?.['type']).toBe('invalid_parameters')
    known = true
    expect((await invoke('pay', token, toBob, key)).status).toBe(200)
  })

  it('is free again after what a person can change: a budget, and a rate that time gives back', async () => {
    const cost = { certainty: 'fixed', financial: { currency: 'EUR', amount: 5 } } as const
    const { invoke, root, time } = await startFixture({
      capabilities: { pay: capability({ side_effect: { type: 'irreversible' }, cost }) },
      limits: { invocationsPerMinute: 1 },
    })
    const small = await root({ budget: { currency: 'EUR', max_amount: 4 } })
    const great = await root({ budget: { currency: 'EUR', max_amount: 5 } })
    const call = async (token: string, name: string) => {
      const reply = await invoke('pay', token, { parameters: {} }, { 'idempotency-key': name })
      return [reply.status, reply.headers.get('idempotency-replayed')]
    }
    expect(await call(small.token, 'a')).toEqual([403, null])
    expect(await call(great.token, 'a')).toEqual([200, null])
    expect(await call(great.token, 'b')).toEqual([429, null])
    time.now += 120_000
    expect(await call(great.token, 'b')).toEqual([200, null])
    expect(await call(small.token, 'a')).toEqual([200, 'true'])
  })

  it('is refused for other parameters', async () => {
    const { invoke, token } = await start()
    await invoke('pay', token, toBob, key)
    const reply = await invoke('pay', token, { parameters: { to: 'eve' } }, key)
    expect([reply.status, reply.body['failure']?.['type']]).toEqual([409, 'idempotency_conflict'])
  })

  it.each([
    [{ budget: { currency: 'EUR', max_amount: 5 } }, {}, 409],
    [{}, { budget: { currency: 'EUR', max_amount: 5 } }, 409],
    [{ budget: { currency: 'EUR', max_amount: 5 } }, { budget: { currency: 'EUR', max_amount: 6 } }, 409],
    [{ budget: { currency: 'EUR', max_amount: 5 } }, { budget: { currency: 'USD', max_amount: 5 } }, 409],
    [{ requested_effects: ['a'] }, {}, 409],
    [{}, { requested_effects: ['a'] }, 409],
    [{}, { requested_effects: [] }, 409],
    [{ requested_effects: ['a'] }, { requested_effects: ['a', 'b'] }, 409],
    [{ requested_effects: ['a', 'b'] }, { requested_effects: ['b', 'a', 'a'] }, 200],
    [{ budget: { currency: 'EUR', max_amount: 5 } }, { budget: { max_amount: 5, currency: 'EUR' } }, 200],
    [{ task_id: 't-1' }, { task_id: 't-1', client_reference_id: 'again' }, 200],
  ])('of a call with %j, used with %j, is answered with %i', async (one, other, status) => {
    const pay = { ...capabilities.pay, business_effects: { produces: ['a', 'b'], does_not_produce: [] } }
    const { invoke, root } = await startFixture({ capabilities: { pay }, handlers: { pay: () => ({}) } })
    const { token } = await root()
    expect((await invoke('pay', token, { ...toBob, ...one }, key)).status).toBe(200)
    const second = await invoke('pay', token, { ...toBob, ...other }, key)
    expect([second.status, second.headers.get('idempotency-replayed')]).toEqual([status, status === 200 ? 'true' : null])
  }) // prettier-ignore

  it('is refused while the first call is in flight, which happens once', async () => {
    let finish: (value: object) => void = () => undefined
    const { invoke, token, effects } = await start(() => new Promise((resolve) => (finish = resolve)))
    const first = invoke('pay', token, toBob, key)
    while (effects.length === 0) await new Promise((resolve) => setTimeout(resolve, 1))
    const second = await invoke('pay', token, toBob, key)
    expect([second.status, second.body['failure']?.['type']]).toEqual([409, 'idempotency_in_progress'])
    expect(second.body['failure']?.['detail']).toBe(
      'The first call with this idempotency key is still running. Wait, then send it again.',
    )
    finish({})
    expect((await first).status).toBe(200)
  })

  it('belongs to one subject, and lasts a day', async () => {
    const { invoke, token, effects, issued, time, root } = await start()
    const eve = await issued('eve-key', { scope: ['travel.search'] })
    await invoke('pay', token, toBob, key)
    await invoke('pay', eve.token, toBob, key)
    expect(effects.length).toBe(2)
    time.now += 24 * 3600_000 + 1
    await invoke('pay', (await root()).token, toBob, key)
    expect(effects.length).toBe(3)
  })

  it.each([['x'.repeat(256)], ['a b'], ['é']])('must be 1 to 255 visible ASCII characters: %.20s', async (bad) => {
    const { invoke, token } = await start()
    const reply = await invoke('pay', token, toBob, { 'idempotency-key': bad })
    expect([reply.status, reply.body['failure']?.['type']]).toEqual([400, 'invalid_parameters'])
  })
})

describe('the key that a handler gives to the service behind', () => {
  it('is that of one capability, one root principal, one subject and one key of the caller', async () => {
    const keys: string[] = []
    const pay = (_: object, { idempotencyKey }: HandlerContext) => (keys.push(idempotencyKey()), {})
    const { issued, invoke } = await startFixture({
      capabilities: { ...capabilities, pay_late: capabilities.pay },
      handlers: { pay, pay_late: pay },
    })
    const given = async (bearer: string, subject: string) =>
      (await issued(bearer, { scope: ['travel.search'], subject })).token
    const callers = [
      ['pay', 'ana-key', 'agent:w', 'k-1'],
      ['pay', 'eve-key', 'agent:w', 'k-1'],
      ['pay', 'ana-key', 'agent:v', 'k-1'],
      ['pay', 'ana-key', 'agent:w', 'k-2'],
      ['pay_late', 'ana-key', 'agent:w', 'k-1'],
    ] as const
    for (const [name, bearer, subject, idempotency] of callers)
      await invoke(name, await given(bearer, subject), toBob, { 'idempotency-key': idempotency })
    expect(keys).toHaveLength(callers.length)
    expect(new Set(keys).size).toBe(callers.length)
  })

  it('is the same for a call that is made again, and another for each call without one', async () => {
    const keys: string[] = []
    const find = (_: object, { idempotencyKey, fail }: HandlerContext) => {
      keys.push(idempotencyKey())
      return fail('service_unavailable', 'Not now.')
    }
    const { root, invoke } = await startFixture({ capabilities: { find: capability() }, handlers: { find } })
    const { token } = await root()
    for (const headers of [key, key, {}, {}]) await invoke('find', token, { parameters: {} }, headers)
    expect([keys[0] === keys[1], keys.length, new Set(keys).size]).toEqual([true, 4, 3])
  })
})

describe('a refusal that lasts', () => {
  const refused = { ok: false, failure: { type: 'invalid_parameters' } }
  const lasting = (inputs: readonly object[], outcome: object = refused) =>
    isLasting({ capabilities: new Map([['pay', { inputs }]]) } as never, { name: 'pay' } as never, outcome as never)

  it.each([
    ['inputs that the manifest judges alone', [{ name: 'a' }, { name: 'b', resolution: { mode: 'closed_values' } }], true],
    ['one of a catalogue', [{ name: 'a' }, { name: 'b', catalog_ref: 'c' }], false],
    ['one of a resolver', [{ name: 'a', resolution: { resolver_ref: 'r' } }, { name: 'b' }], false],
    ['one of a policy', [{ name: 'a', resolution: { mode: 'actor_policy' } }], false],
    ['one that a policy may give', [{ name: 'a', resolution: { mode: 'actor_policy_or_explicit' } }], false],
    ['one that falls back to the actor', [{ name: 'a', resolution: { mode: 'explicit_only', on_missing: 'use_actor_scope' } }], false],
    ['one with a number among its words', [{ name: 'a', resolution: { mode: 'explicit_only', limit: 3 } }], true],
  ])('is that of %s: %j', (_, inputs, expected) => {
    expect(lasting(inputs)).toBe(expected)
  }) // prettier-ignore

  it('is no success, no other failure, and none of an unknown capability', () => {
    expect(lasting([], { ok: true, result: {} })).toBe(false)
    expect(lasting([], { ok: false, failure: { type: 'budget_exceeded' } })).toBe(false)
    const none = { capabilities: new Map() } as never
    expect(isLasting(none, { name: 'pay' } as never, refused as never)).toBe(false)
  })

  it('is answered as a failure of the store where its key cannot be claimed', async () => {
    const { storage, invoke, token } = await start()
    Object.assign(storage.idempotency, { start: () => Promise.reject(new StorageUnavailable('Gone.')) })
    const reply = await invoke('pay', token, { parameters: { to: 5 } }, key)
    expect([reply.status, reply.body['failure']?.['type']]).toEqual([503, 'service_unavailable'])
  })
})
