import { readFileSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import type { Cost } from '../../src/protocol/manifest.js'
import type { HandlerContext } from '../../src/runtime/index.js'
import { inputValue } from '../../src/runtime/index.js'
import { bodiesInFlight } from '../../src/runtime/request/bodies-in-flight.js'
import { refuse } from '../../src/runtime/errors/refusal.js'
import { DEFAULT_LIMITS } from '../../src/runtime/limits.js'
import { recordTallies } from '../../src/runtime/audit/record-tallies.js'
import { eraseExpired } from '../../src/runtime/lifecycle/retention.js'
import { StorageUnavailable } from '../../src/runtime/storage/contract.js'
import { openSqlite } from '../../src/runtime/storage/sqlite/index.js'
import { capability, composition, declares, input, ONE_TIME } from '../runtime/fixture/manifest.js'
import { API_KEYS, requestOf, startFixture, type Given } from '../runtime/fixture/service.js'
import { cpuTime, leastCpu } from '../cpu-time.js'

const any = (...names: readonly string[]) => ({ type: 'o', fields: names.map((name) => ({ name, type: 'any' })) })
const typeOf = (reply: { readonly status: number; readonly body: { readonly [name: string]: unknown } }) =>
  `${reply.status} ${String((reply.body['failure'] as { readonly type?: string } | undefined)?.type)}`

/** One capability `act` that counts its effects. */
async function start(
  declared: Parameters<typeof capability>[0] = {},
  given: Given = {},
  act: (input: never, context: never) => unknown = () => ({}),
) {
  const effects: unknown[] = []
  const capabilities = {
    act: capability({ side_effect: { type: 'irreversible' }, ...declared }),
    ...given.capabilities,
  }
  const fixture = await startFixture({
    ...given,
    capabilities,
    handlers: {
      act: (input: never, context: never) => (effects.push(structuredClone(input)), act(input, context)),
      ...given.handlers,
    },
  })
  const entries = async (token: string) =>
    (await fixture.trail(token)).filter((entry) => entry['entry_type'] === 'invocation')
  return { ...fixture, effects, entries }
}

describe('POST /svc/invoke/{capability}', () => {
  it('I01 part of the scope is not enough, has no effect, and is audited once', async () => {
    const { root, invoke, effects, entries } = await start({ minimum_scope: ['travel.search', 'travel.book'] })
    const { token } = await root()
    expect([typeOf(await invoke('act', token)), effects]).toEqual(['403 scope_insufficient', []])
    expect((await entries(token)).length).toBe(1)
  })

  it.each([
    'b%2f..%2fa',
    'act%00',
    'ACT',
    'act.',
    'act/',
    'act%20',
    'act%252e',
    '__proto__',
    'constructor',
    'x'.repeat(10_000),
    '..%2fmanifest',
  ])('I02 the path %.20s names nothing', async (name) => {
    const { root, invoke, effects, entries } = await start()
    const { token } = await root()
    expect([typeOf(await invoke(name, token)), effects]).toEqual(['404 unknown_capability', []])
    expect((await entries(token)).map((entry) => entry['failure_type'])).toEqual(['unknown_capability'])
  })

  it.each([{ parameters: [] }, { parameters: 'x' }, { parameters: null }, {}, { parameters: { toJSON: { a: 1 } } }])(
    'I03 %j is refused',
    async (body) => {
      const { root, invoke, effects } = await start()
      expect([typeOf(await invoke('act', (await root()).token, body)), effects]).toEqual(['400 invalid_parameters', []])
    },
  )

  it('I04 an unknown parameter is refused', async () => {
    const { root, invoke, effects } = await start()
    expect([typeOf(await invoke('act', (await root()).token, { parameters: { surprise: 1 } })), effects]).toEqual([
      '400 invalid_parameters',
      [],
    ])
  })

  it.each([
    ['integer', '1'],
    ['integer', 1.5],
    ['integer', true],
    ['number', '1'],
    ['boolean', 'true'],
    ['boolean', 1],
    ['date', '2026-02-30'],
    ['datetime', '2026-02-30T10:00:00Z'],
    ['datetime', '2026-02-29T10:00:00+01:00'],
    ['datetime', '2026-04-31T10:00:00Z'],
    ['datetime', '2026-13-01T10:00:00Z'],
    ['datetime', '2026-00-10T10:00:00Z'],
    ['datetime', '2026-01-00T10:00:00Z'],
    ['datetime', '2026-01-01'],
    ['string', { id: 'x' }],
    ['hotel_reference', { id: 'x' }],
    ['array', {}],
    ['object', []],
  ])('I05 %s does not take %j', async (type, value) => {
    const { root, invoke, effects } = await start({ inputs: [input('value', { type })] })
    expect([typeOf(await invoke('act', (await root()).token, { parameters: { value } })), effects]).toEqual([
      '400 invalid_parameters',
      [],
    ])
  })

  it('I05 a number beyond every number is refused', async () => {
    const { root, call } = await start({ inputs: [input('value', { type: 'number' })] })
    expect(
      (await call('POST', '/svc/invoke/act', { bearer: (await root()).token, text: '{"parameters":{"value":1e309}}' }))
        .status,
    ).toBe(400)
  })

  it.each([
    '{"__proto__":{"polluted":1},"parameters":{}}',
    '{"parameters":{"__proto__":{"polluted":1}}}',
    '{"parameters":{"value":{"__proto__":{"polluted":1}}}}',
    '{"parameters":{"value":{"constructor":{"prototype":{"polluted":1}}}}}',
  ])('I06 %s pollutes nothing', async (text) => {
    const { root, call, effects } = await start({ inputs: [input('value', { type: 'object', required: false })] })
    await call('POST', '/svc/invoke/act', { bearer: (await root()).token, text })
    expect(({} as { readonly polluted?: unknown }).polluted).toBeUndefined()
    for (const effect of effects) expect((effect as { value: { polluted?: unknown } }).value.polluted).toBeUndefined()
  })

  it('I07 a member twice is refused', async () => {
    const { root, call, effects } = await start({ inputs: [input('amount', { type: 'integer' })] })
    const reply = await call('POST', '/svc/invoke/act', {
      bearer: (await root()).token,
      text: '{"parameters":{"amount":1,"amount":1000000}}',
    })
    expect([typeOf(reply), effects]).toEqual(['400 invalid_parameters', []])
  })

  it.each([
    `{"parameters":${'['.repeat(10_000)}${']'.repeat(10_000)}}`,
    `{"parameters":{${Array.from({ length: 60_000 }, (_, index) => `"k${index}":1`).join(',')}}}`,
  ])('I08 %.20s is refused before it can hold anybody up', async (text) => {
    const { root, call } = await start()
    const { token } = await root()
    const begun = cpuTime()
    expect([400, 413]).toContain((await call('POST', '/svc/invoke/act', { bearer: token, text })).status)
    expect(cpuTime() - begun).toBeLessThan(1000)
  })

  it('I08 a body of very many members is refused before any value is made of them', async () => {
    const { root, call } = await start()
    const text = `{"parameters":{"a":[${'{"k":1},'.repeat(20_000)}{}]}}`
    const { body } = await call('POST', '/svc/invoke/act', { bearer: (await root()).token, text })
    expect(body['failure']?.['detail']).toContain('more than 20000 members')
  })

  it('I09 the task of the token holds; 256 characters are the most', async () => {
    const { root, invoke } = await start()
    const { token } = await root({ purpose_parameters: { task_id: 'A' } })
    expect(typeOf(await invoke('act', token, { parameters: {}, task_id: 'B' }))).toBe('403 purpose_mismatch')
    expect((await invoke('act', token)).body['task_id']).toBe('A')
    const free = (await root()).token
    expect((await invoke('act', free, { parameters: {}, task_id: '😀'.repeat(256) })).status).toBe(200)
    expect((await invoke('act', free, { parameters: {}, task_id: `${'😀'.repeat(256)}x` })).status).toBe(400)
  })

  it('I10 A08 what is echoed and recorded injects nothing', async () => {
    const hostile = 'a\r\nSet-Cookie: x=1\n\u2028"\u001b[31m'
    const { root, invoke, entries, logged } = await start()
    const { token } = await root()
    const reply = await invoke('act', token, { parameters: {}, client_reference_id: hostile })
    expect([reply.body['client_reference_id'], reply.headers.get('set-cookie')]).toEqual([hostile, null])
    expect((await entries(token)).map((entry) => entry['client_reference_id'])).toEqual([hostile])
    expect(logged.join('')).not.toContain('Set-Cookie')
  })

  it.each([
    'inv-0123456789AB',
    'inv-0123456789a',
    'inv-0123456789abc',
    ' inv-0123456789ab',
    'inv_0123456789ab',
    '0123456789ab',
  ])('I11 the parent %j is refused', async (parent_invocation_id) => {
    const { root, invoke } = await start()
    expect((await invoke('act', (await root()).token, { parameters: {}, parent_invocation_id })).status).toBe(400)
  })

  it.each<[Cost['certainty'], number, string, string | undefined]>([
    ['fixed', 99.99, 'EUR', 'budget_exceeded'], ['fixed', 100, 'EUR', undefined], ['fixed', 100.01, 'EUR', undefined], ['fixed', 999, 'USD', 'budget_currency_mismatch'],
    ['dynamic', 99.99, 'EUR', 'budget_exceeded'], ['dynamic', 100, 'EUR', undefined], ['dynamic', 999, 'USD', 'budget_currency_mismatch'],
    ['estimated', 999, 'EUR', 'budget_not_enforceable'], ['estimated', 999, 'USD', 'budget_currency_mismatch'],
  ])('I12 %s cost under %d %s: %s', async (certainty, max_amount, currency, type) => {
    const { root, invoke, effects } = await start({ cost: { certainty, financial: { currency: 'EUR', amount: 100, upper_bound: 100 } } })
    const { body } = await invoke('act', (await root({ budget: { currency, max_amount } })).token)
    expect([body['failure']?.['type'], effects.length]).toEqual([type, type === undefined ? 1 : 0])
    expect(body['budget_context']).toMatchObject({ budget_max: max_amount, budget_currency: currency, cost_certainty: certainty })
  }) // prettier-ignore

  const booking = {
    inputs: [input('quote'), input('price', { type: 'number', required: false })],
    requires_binding: [{ type: 'quote', field: 'quote', source_capability: 'quote', max_age: 'PT15M' }],
    cost: { certainty: 'estimated', financial: { currency: 'EUR' } },
  } as const
  const quoting = {
    capabilities: { quote: capability({ output: any('id') }) },
    handlers: {
      quote: async (_: object, { bindings }: HandlerContext) => ({
        id: await bindings.issue({ type: 'quote', price: { currency: 'EUR', amount: 80 } }),
      }),
    },
  }

  it.each([0, -1, 'free', null])('I13 the caller does not name the price: %j', async (price) => {
    const { root, invoke, effects } = await start(booking, quoting)
    const { token } = await root({ budget: { currency: 'EUR', max_amount: 79.99 } })
    const quote = (await invoke('quote', token)).body['result']?.['id']
    const { body } = await invoke('act', token, { parameters: { quote, price } })
    expect(['budget_exceeded', 'invalid_parameters']).toContain(body['failure']?.['type'])
    expect(effects).toEqual([])
  })

  it('I14 a quote of somebody else, an edited one, an old one and one of the future are stale', async () => {
    const { root, invoke, issued, effects, time, storage } = await start(booking, quoting)
    const { token } = await root({ budget: { currency: 'EUR', max_amount: 100 } })
    const eve = await issued('eve-key', { scope: ['travel.search'] })
    const foreign = (await invoke('quote', eve.token)).body['result']?.['id'] as unknown as string
    const own = (await invoke('quote', token)).body['result']?.['id'] as unknown as string
    await storage.bindings.insert({
      binding_id: 'bnd_future',
      type: 'quote',
      capability: 'quote',
      root_principal: 'human:ana',
      issued_at: time.now + 60_000,
    })
    for (const quote of [foreign, `${own}x`, 'bnd_future'])
      expect(typeOf(await invoke('act', token, { parameters: { quote } }))).toBe('409 binding_stale')
    time.now += 15 * 60_000 + 1
    expect([typeOf(await invoke('act', token, { parameters: { quote: own } })), effects]).toEqual([
      '409 binding_stale',
      [],
    ])
  })

  const priced = (amount: number) => ({ cost: { certainty: 'fixed', financial: { currency: 'EUR', amount } } }) as const

  it.each([
    ['cumulative', 1],
    ['per_invocation', 3],
  ])('I15 R06 three times 280 under 500 %s: %i', async (mode, expected) => {
    const { root, invoke, effects } = await start(priced(280))
    const { token } = await root({ budget: { currency: 'EUR', max_amount: 500, mode } })
    await Promise.all([1, 2, 3].map(() => invoke('act', token)))
    expect(effects.length).toBe(expected)
  })

  it('I16 R07 children do not spend more together than their parent', async () => {
    const { root, invoke, issued, effects } = await start(priced(280))
    const parent = await root({ budget: { currency: 'EUR', max_amount: 500, mode: 'cumulative' }, subject: 'agent:a' })
    const children = await Promise.all(
      Array.from({ length: 10 }, () =>
        issued(parent.token, { scope: ['travel.search'], subject: 'agent:b', parent_token: parent.token_id }),
      ),
    )
    await Promise.all(children.map(({ token }) => invoke('act', token)))
    expect(effects.length).toBe(1)
  })

  it('I17 a cost above the reserved amount is told, flagged, and counts', async () => {
    const { root, invoke, entries } = await start(
      priced(100),
      {},
      (_: never, { cost }: HandlerContext) => (cost.report({ currency: 'EUR', amount: 450 }), {}),
    )
    const { token } = await root({ budget: { currency: 'EUR', max_amount: 500, mode: 'cumulative' } })
    expect((await invoke('act', token)).body['cost_actual']).toEqual({ currency: 'EUR', amount: 450 })
    expect((await entries(token))[0]).toMatchObject({
      cost_exceeded: true,
      cost_actual: { currency: 'EUR', amount: 450 },
    })
    const second = await invoke('act', token)
    expect([second.body['failure']?.['type'], second.body['budget_context']]).toMatchObject([
      'budget_exceeded',
      { budget_remaining: 50 },
    ])
  })

  it('I18 a refusal leaves exactly one entry, of its class', async () => {
    const { root, invoke, entries } = await start({ minimum_scope: ['travel.other'] }, { capabilities: { read: capability({ inputs: [input('x')] }) } })
    const { token } = await root()
    await invoke('act', token)
    await invoke('read', token)
    expect((await entries(token)).map((entry) => [entry['capability'], entry['event_class'], entry['failure_type']])).toEqual([
      ['read', 'low_risk_failure', 'invalid_parameters'], ['act', 'high_risk_failure', 'scope_insufficient'],
    ])
  }) // prettier-ignore

  it('I19 without its store a service has no effects and tells of no success', async () => {
    const storage = await openSqlite({ file: ':memory:' })
    const broken = {
      ...storage,
      intents: { ...storage.intents, record: () => Promise.reject(new StorageUnavailable('no')) },
    }
    const { root, invoke, effects } = await start({}, { storage: broken })
    const reply = await invoke('act', (await root()).token)
    expect([typeOf(reply), reply.body['failure']?.['retry'], effects]).toEqual(['503 service_unavailable', true, []])
  })

  it('I20 a secret in an error stays inside', async () => {
    const { root, invoke, entries } = await start({}, {}, () => { throw new Error('CANARY at /home/secret') }) // prettier-ignore
    const { token } = await root()
    const reply = await invoke('act', token)
    expect(JSON.stringify([reply.body, [...reply.headers], await entries(token)])).not.toContain('CANARY')
    expect(reply.body['invocation_id']).toMatch(/^inv-/u)
  })

  it('I21 a handler that hangs is ended, recorded, and its lease is free again', async () => {
    const { root, invoke, entries } = await start(
      {},
      { limits: { handlerTimeoutMs: 20 } },
      () => new Promise(() => undefined),
    )
    const { token } = await root({ concurrent_branches: 'exclusive' })
    for (const _ of [1, 2]) expect(typeOf(await invoke('act', token))).toBe('500 outcome_unknown')
    expect((await entries(token)).map((entry) => entry['failure_type'])).toEqual(['outcome_unknown', 'outcome_unknown'])
  })

  const cyclic: { self?: unknown } = {}
  cyclic.self = cyclic
  it.each<[string, unknown, string]>([
    ['a getter that throws', { get value() { throw new Error('CANARY') } }, '500 outcome_unknown'],
    ['toJSON', { toJSON: () => ({ value: 'plain', secret: 1 }) }, '200 undefined'],
    ['a cycle', { value: cyclic }, '500 outcome_unknown'],
    ['a BigInt', { value: 1n }, '500 outcome_unknown'],
    ['20 MB', { value: 'x'.repeat(20_000_000) }, '500 outcome_unknown'],
    ['__proto__', JSON.parse('{"__proto__":{"polluted":1},"value":1}'), '200 undefined'],
    ['undeclared fields', { value: 1, secret: 'CANARY' }, '200 undefined'],
    ['no object', 'CANARY', '500 outcome_unknown'],
  ])('I22 a handler that returns %s', async (_, returned, expected) => {
    const { root, invoke } = await start({ output: any('value') }, {}, () => returned)
    const reply = await invoke('act', (await root()).token)
    expect(typeOf(reply)).toBe(expected)
    expect(Object.keys(reply.body['result'] ?? { value: 1 })).toEqual(['value'])
    expect(JSON.stringify(reply.body)).not.toContain('CANARY')
  }) // prettier-ignore

  it.each<[string, (input: never, context: HandlerContext) => unknown]>([
    ['throws', () => { throw new Error('no') }],
    ['asks for an approval, where there is none to ask for', (_, { approvalRequired }) => approvalRequired()],
    ['lets a refusal through that is not its own', () => refuse('scope_escalation', 'The parent has no such scope.')],
    ['gives too much', () => ({ receipt: 'x'.repeat(20_000_000) })],
    ['gives another shape', () => ({ receipt: 5 })],
  ])('N11 a handler that pays and then %s: the outcome is unknown, and what was reserved stays so', async (_, act) => {
    const cost: Cost = { certainty: 'fixed', financial: { currency: 'EUR', amount: 10 } }
    const output = { type: 'o', fields: [{ name: 'receipt', type: 'string' }] }
    const { root, invoke, effects, entries } = await start({ cost, output }, {}, act as never)
    const { token } = await root({ budget: { currency: 'EUR', max_amount: 25, mode: 'cumulative' } })
    const replies = []
    for (const _ of [1, 2, 3, 4, 5, 6]) replies.push(await invoke('act', token))
    expect(replies.map(typeOf)).toEqual([
      ...Array<string>(2).fill('500 outcome_unknown'),
      ...Array<string>(4).fill('403 budget_exceeded'),
    ])
    expect(effects.length).toBe(2)
    expect((await entries(token)).filter((entry) => entry['failure_type'] === 'outcome_unknown').length).toBe(2)
  }) // prettier-ignore

  it('N10 refused calls beyond a rate get no entry each, and are counted in one', async () => {
    const { root, invoke, issued, entries, service } = await start({}, { limits: { refusalsPerMinute: 20 } })
    const { token } = await root()
    const { token: other } = await issued('eve-key', { scope: ['travel.search'] })
    const replies = await Promise.all(Array.from({ length: 200 }, () => invoke('nothing', token)))
    expect(replies.filter((reply) => typeOf(reply) === '404 unknown_capability').length).toBe(20)
    expect(replies.filter((reply) => typeOf(reply) === '429 rate_limited').length).toBe(180)
    expect(replies.find(({ status }) => status === 429)?.headers.get('retry-after')).toMatch(/^\d+$/u)
    expect((await entries(token)).length).toBe(20)
    expect(typeOf(await invoke('nothing', other))).toBe('404 unknown_capability')
    expect([typeOf(await invoke('act', token)), (await entries(token)).length]).toEqual(['200 undefined', 21])
    await recordTallies(service)
    await recordTallies(service)
    const counted = (await service.storage.audit.query({ limit: 100 })).filter((entry) => entry.entry_type === 'refusals')
    expect(counted).toMatchObject([
      { root_principal: 'human:ana', refused: { since: '2026-03-01T12:00:00.000Z', count: 180, by_type: { unknown_capability: 180 } } },
    ])
  }) // prettier-ignore

  it('N10 bodies that are never finished take so much memory of a caller, and of the process, and no more', async () => {
    const limits = { ...DEFAULT_LIMITS, bodyBytesInFlight: 3_883, bodyBytesInFlightPerPrincipal: 2_000 }
    const bodies = bodiesInFlight(limits, () => 0)
    const begin = (root: string) => bodies.begin({ pool: 'known', root, tokens: [] })
    const [one, two, three] = [begin('ana'), begin('ana'), begin('eve')]
    expect([one.take(1_000), two.take(1_000), two.take(400), three.take(1_000), three.take(1)]).toEqual([true, false, true, true, false])
    two.end()
    expect([three.take(1), one.take(1_000)]).toEqual([true, false])
    one.end()
    three.end()
    expect([begin('ana').take(1_744), begin('eve').take(1_045)]).toEqual([true, false])
  }) // prettier-ignore

  it('N10 a body for which there is no room is refused while it comes, and what comes after is not kept', async () => {
    const { root, invoke, post, service } = await start({}, { adapter: 'node', limits: { bodyBytesInFlightPerPrincipal: 100_000 } })
    const { token } = await root()
    const big = (pad: number) => ({ parameters: {}, task_id: 'x'.repeat(pad) })
    expect(typeOf(await invoke('act', token, big(200_000)))).toBe('429 rate_limited')
    expect(typeOf(await invoke('act', token, big(50_000)))).toBe('400 invalid_parameters')
    expect(typeOf(await post('/svc/permissions', token, big(200_000)))).toBe('429 rate_limited')
    expect(service.bodies.begin({ pool: 'known', root: 'human:ana', tokens: [] }).take(99_000)).toBe(true)
  }) // prettier-ignore

  it('N10 the body of a request with an API key counts for its principal, from wherever it comes', async () => {
    const { post, service } = await start({}, { limits: { bodyBytesInFlightPerPrincipal: 100_000 } })
    const others = service.bodies.begin({ pool: 'known', root: 'human:ana', tokens: [] })
    others.take(60_000)
    const ask = async (path: string) => typeOf(await post(path, 'ana-key', { x: 'x'.repeat(50_000) }))
    expect(await ask('/svc/tokens')).toBe('429 rate_limited')
    others.end()
    expect(await ask('/svc/tokens')).toBe('400 invalid_parameters')
  })

  it.each([
    ['an operator', 'human:op', '/-/tokens/revoke'],
    ['an operator', 'human:op', '/-/capabilities/act/pause'],
    ['an operator', 'human:op', '/-/capabilities/act/resume'],
    ['an operator', 'human:op', '/-/blocks/blk_1/lift'],
    ['an auditor', 'human:op', '/-/audit'],
    ['who decides by a token', 'human:bob', '/svc/approval_grants'],
    ['who decides by a token', 'human:bob', '/svc/approval_requests/apr_1/deny'],
    ['who decides by a token', 'human:bob', '/svc/approval_requests/apr_1/withdraw'],
    ['who decides by a token', 'human:bob', '/-/approval_grants/grt_1/revoke'],
  ])('N10 the body of %s counts for %s, from wherever it comes: %s', async (_, principal, path) => {
    const apiKeys = API_KEYS.map((key) => (key.id === 'op' ? { ...key, roles: ['operator', 'auditor'] as const } : key))
    const capabilities = { book: capability({ approval: { required: 'always', grant_policy: ONE_TIME } }) }
    const limits = { bodyBytesInFlight: 400_000, bodyBytesInFlightPerPrincipal: 4_000 }
    const { call, issued, service } = await start({}, { apiKeys, capabilities })
    const { token } = await issued('bob-key', { scope: ['approver:book'], subject: 'agent:desk' })
    Object.assign(service, { bodies: bodiesInFlight({ ...DEFAULT_LIMITS, ...limits }, () => 0) })
    const pool = path === '/svc/approval_grants' ? 'known' : 'reserved'
    const own = service.bodies.begin({ pool, root: principal, tokens: [] })
    expect(own.take(3_000)).toBe(true)
    const bearer = principal === 'human:op' ? 'op-key' : token
    const send = (client: string) => call('POST', path, { bearer, body: { x: 'x'.repeat(1_500) }, client })
    const ask = async () => [typeOf(await send('10.0.0.1')), typeOf(await send('10.0.0.2'))]
    expect(await ask()).toEqual(['429 rate_limited', '429 rate_limited'])
    own.end()
    expect(await ask()).toEqual(['400 invalid_parameters', '400 invalid_parameters'])
  })

  it('N10 what is revoked already is revoked again at a rate, and everything else at once', async () => {
    const { post, issued } = await start({}, { limits: { tokensPerMinute: 3 } })
    const [one, other] = [await issued('ana-key', { scope: ['travel.search'] }), await issued('ana-key', { scope: ['travel.search'] })]
    const revoke = async ({ token_id }: { readonly token_id: string }) =>
      typeOf(await post('/svc/tokens/revoke', 'ana-key', { token_id }))
    expect([await revoke(one), await revoke(one), await revoke(one), await revoke(one), await revoke(one)]).toEqual([
      '200 undefined', '200 undefined', '200 undefined', '200 undefined', '429 rate_limited',
    ])
    expect(await revoke(other)).toBe('200 undefined')
  }) // prettier-ignore

  it('a handler gets 0 for -0, as the digest has it', async () => {
    const { root, call, effects } = await start({ inputs: [input('n', { type: 'number' }), input('deep', { type: 'object' })] })
    const { token } = await root()
    await call('POST', '/svc/invoke/act', { bearer: token, text: '{"parameters":{"n":-0,"deep":{"a":[-0]}}}' })
    expect(effects).toStrictEqual([{ n: 0, deep: { a: [0] } }])
  }) // prettier-ignore

  it('N10 a query of the trail whose filter few entries meet walks over so many at a time, and its cursor leads on', async () => {
    const { root, invoke, post } = await start({}, { limits: { auditRowsPerQuery: 4 } })
    const { token } = await root()
    const reference = { parameters: {}, client_reference_id: 'rare' }
    for (let at = 0; at < 10; at++) await invoke('act', token, at === 1 ? reference : undefined)
    const pages: number[] = []
    let cursor = ''
    for (;;) {
      const { body } = await post(`/svc/audit?client_reference_id=rare${cursor}`, token)
      pages.push(body['count']!)
      if (body['next_cursor'] === undefined) break
      cursor = `&cursor=${body['next_cursor']}`
    }
    expect(pages).toEqual([0, 0, 1])
    expect((await post('/svc/audit', token)).body).toMatchObject({ count: 11 })
  })

  it('N10 queries of the trail have a rate and places for each principal', async () => {
    const { root, issued, post, service } = await start({}, { limits: { auditQueriesPerMinute: 5, auditQueriesAtOnce: 2 } })
    const [{ token }, { token: other }] = [await root(), await issued('eve-key', { scope: ['travel.search'] })]
    const { query } = service.storage.audit
    const held = new Promise((open) => setTimeout(open, 300))
    const slow = vi.spyOn(service.storage.audit, 'query').mockImplementation(async (filter) => (await held, query(filter)))
    const replies = await Promise.all([1, 2, 3, 4].map(() => post('/svc/audit', token)))
    slow.mockRestore()
    expect(replies.map(typeOf).sort()).toEqual(['200 undefined', '200 undefined', '429 rate_limited', '429 rate_limited'])
    expect(service.audits.size).toBe(0)
    expect([await post('/svc/audit', token), await post('/svc/audit', token), await post('/svc/audit', other)].map(typeOf)).toEqual([
      '200 undefined',
      '429 rate_limited',
      '200 undefined',
    ])
  }) // prettier-ignore

  it('N10 refused calls beyond the rate leave their idempotency key free, and those within the invocations keep their entries', async () => {
    const limits = { refusalsPerMinute: 1, invocationsPerMinute: 100 }
    const { root, invoke, entries } = await start({ inputs: [input('ok', { type: 'boolean' })], ...declares('sold_out') }, { limits }, ({ ok }: { ok: boolean }, ctx: HandlerContext) =>
      ok ? {} : ctx.fail('sold_out', 'No.'),
    )
    const { token } = await root({ budget: { currency: 'EUR', max_amount: 1 } })
    const call = (ok: unknown, key?: string) => invoke('act', token, { parameters: { ok } }, key === undefined ? {} : { 'idempotency-key': key })
    expect([typeOf(await call('no', 'k')), typeOf(await call('no', 'k')), typeOf(await call('no', 'l')), typeOf(await call(true, 'l'))]).toEqual([
      '400 invalid_parameters',
      '400 invalid_parameters',
      '429 rate_limited',
      '200 undefined',
    ])
    for (const _ of [1, 2, 3]) expect(typeOf(await call(false))).toBe('422 sold_out')
    expect((await entries(token)).length).toBe(5)
  }) // prettier-ignore

  it('N10 the entry of a refused call is kept for a while, that of one that began for ever', async () => {
    const { root, invoke, time, entries, service } = await start(declares('sold_out'), { limits: { refusalRetentionMs: 60_000 } }, (_: object, ctx: HandlerContext) => ctx.fail('sold_out', 'No.'))
    const { token } = await root()
    for (const name of ['nothing', 'act', 'nothing']) await invoke(name, token)
    time.now += 61_000
    await invoke('act', token)
    expect(await eraseExpired(service, await service.storage.now())).toBe(2)
    expect((await entries(token)).map((entry) => entry['failure_type'])).toEqual(['sold_out', 'sold_out'])
  }) // prettier-ignore

  it('I23 a composed capability is no deputy: see test/runtime/composition.test.ts; without the scope of a step nothing starts', async () => {
    const { root, invoke, effects } = await start(
      { minimum_scope: ['travel.other'] },
      {
        capabilities: {
          whole: capability({ kind: 'composed', composition: composition([{ id: 'one', capability: 'act' }]) }),
        },
      },
    )
    expect([typeOf(await invoke('whole', (await root()).token)), effects]).toEqual(['403 scope_insufficient', []])
  })

  it('I24 a composition that runs in circles is refused at start', async () => {
    await expect(
      startFixture({
        capabilities: {
          whole: capability({ kind: 'composed', composition: composition([{ id: 'one', capability: 'whole' }]) }),
        },
      }),
    ).rejects.toThrow('Composition whole: the step one must name an atomic capability')
  })

  it('I25 R20 twenty calls with one idempotency key have one effect', async () => {
    const { root, invoke, effects } = await start()
    const { token } = await root()
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => invoke('act', token, undefined, { 'idempotency-key': 'k' })),
    )
    expect(effects.length).toBe(1)
    expect(new Set(replies.filter(({ status }) => status === 200).map(({ body }) => body['invocation_id'])).size).toBe(
      1,
    )
    expect(replies.every(({ status }) => status === 200 || status === 409)).toBe(true)
  })

  it('I26 I27 streams are capped for each principal, and tell nothing of each other', async () => {
    let finish: () => void = () => undefined
    const allOpened = new Promise<void>((resolve) => (finish = resolve))
    const { root, issued, fetch } = await start(
      { response_modes: ['streaming'], side_effect: { type: 'read' } },
      { limits: { streamsPerPrincipal: 3 } },
      async (_: never, { principal, progress }: HandlerContext) => {
        await progress(`for ${principal}`)
        await allOpened
        return {}
      },
    )
    const [ana, eve] = [(await root()).token, (await issued('eve-key', { scope: ['travel.search'] })).token]
    const open = (bearer: string) =>
      fetch(requestOf('POST', '/svc/invoke/act', { bearer, body: { parameters: {}, stream: true } }))
    const streams = await Promise.all([open(ana), open(ana), open(ana), open(ana), open(eve)])
    finish()
    expect(streams.map(({ status }) => status)).toEqual([200, 200, 200, 429, 200])
    const texts = await Promise.all(streams.map((stream) => stream.text()))
    expect(texts.slice(0, 3).join('')).not.toContain('human:eve')
    expect(texts[4]).not.toContain('human:ana')
  })

  it('I26 one delegate, with all that it delegates to, leaves streams to its siblings', async () => {
    let finish: () => void = () => undefined
    const allOpened = new Promise<void>((resolve) => (finish = resolve))
    const { root, issued, fetch } = await start(
      { response_modes: ['streaming'], side_effect: { type: 'read' } },
      { limits: { streamsPerPrincipal: 4, streamsPerDelegate: 2 } },
      async (_: never, { progress }: HandlerContext) => (await progress(1), await allOpened, {}),
    )
    const [greedy, sibling, own] = [
      await root({ subject: 'agent:a' }),
      await root({ subject: 'agent:b' }),
      await root(),
    ]
    const below = (subject: string) =>
      issued(greedy.token, { scope: ['travel.search'], parent_token: greedy.token_id, subject })
    const bearers = [await below('agent:x'), await below('agent:y'), await below('agent:z'), sibling, own, own]
    const statuses: number[] = []
    const streams: Response[] = []
    for (const { token: bearer } of bearers) {
      const stream = await fetch(
        requestOf('POST', '/svc/invoke/act', { bearer, body: { parameters: {}, stream: true } }),
      )
      streams.push(stream)
      statuses.push(stream.status)
    }
    finish()
    await Promise.all(streams.map((stream) => stream.text()))
    expect(statuses).toEqual([200, 200, 429, 200, 200, 429])
  })

  it('I28 a stream of what does not stream is refused without effect', async () => {
    const { root, invoke, effects } = await start()
    expect([typeOf(await invoke('act', (await root()).token, { parameters: {}, stream: true })), effects]).toEqual([
      '400 streaming_not_supported',
      [],
    ])
  })

  it('I29 an agent does not call what is for people', async () => {
    const { root, invoke, effects } = await start({ requires_principal: ['human'] })
    expect([typeOf(await invoke('act', (await root({ subject: 'agent:x' })).token)), effects]).toEqual([
      '403 non_delegable_action',
      [],
    ])
  })

  it('I30 a grant where none is needed is left alone', async () => {
    const { root, invoke, post, storage } = await start(
      {},
      { capabilities: { book: capability({ approval: { required: 'always', grant_policy: ONE_TIME } }) } },
    )
    const { token } = await root({ subject: 'agent:x' })
    const approval_request_id = (await invoke('book', token)).body['failure']?.['approval_request_id']
    const { body } = await post('/svc/approval_grants', 'bob-key', { approval_request_id, grant_type: 'one_time' })
    expect((await invoke('act', token, { parameters: {}, approval_grant: body['grant_id'] })).status).toBe(200)
    expect((await storage.approvals.grant(body['grant_id'] as unknown as string))?.uses).toBe(0)
  })

  it('I31 naughty strings go through every input: see test/runtime/vectors/json.test.ts', async () => {
    const { root, invoke, effects } = await start({ inputs: [input('text')] })
    const text = '\'; drop table tokens; -- ../../etc/passwd {"$ne":1}'
    await invoke('act', (await root()).token, { parameters: { text } })
    expect(effects).toEqual([{ text }])
  })

  it.each(['string', 'integer', 'date', 'datetime', 'duration', 'uri', 'email', 'uuid'])(
    'I32 100 kB cost a %s nothing',
    async (type) => {
      for (const text of ['a', '1', '@', '.', '-', 'a.', '0-', 'P1', 'a:', '1T', 'a@a.'].map((part) =>
        part.repeat(100_000 / part.length),
      )) {
        expect(await leastCpu(150, () => inputValue(type)(text))).toBeLessThan(150)
      }
    },
  )

  it('I33 upstream_service is echoed and recorded, and gives no authority', async () => {
    const { root, invoke, entries } = await start(
      { minimum_scope: ['travel.other'] },
      { capabilities: { read: capability() } },
    )
    const { token } = await root()
    const reply = await invoke('act', token, { parameters: {}, upstream_service: 'admin' })
    expect([typeOf(reply), reply.body['upstream_service'], (await entries(token))[0]?.['upstream_service']]).toEqual([
      '403 scope_insufficient',
      'admin',
      'admin',
    ])
  })

  it('no source of the runtime makes code at run time', () => {
    expect(readFileSync('src/runtime/call/execute/execute.ts', 'utf8')).not.toMatch(/\beval\b|new Function/u)
  })
})
