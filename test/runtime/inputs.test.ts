import { describe, expect, it } from 'vitest'
import type { Input, Resolution } from '../../src/protocol/manifest.js'
import { inputValue, outputFields } from '../../src/runtime/index.js'
import { capability, input } from './fixture/manifest.js'
import { startFixture } from './fixture/service.js'

describe('inputValue', () => {
  it.each([
    ['string', 'x', 1], ['integer', 3, 3.5], ['integer', -0, 2 ** 53], ['number', 0.1, '0.1'], ['boolean', false, 'false'],
    ['date', '2024-02-29', '2026-02-29'], ['date', '2026-12-31', '2026-13-01'], ['datetime', '2026-03-01T12:00:00+01:00', '2026-03-01T12:00:00'],
    ['datetime', '2026-03-01t12:00:00.5z', '2026-03-01T24:00:00Z'], ['datetime', '2024-02-29T10:00:00Z', '2026-02-29T10:00:00Z'], ['datetime', '2026-02-28T10:00:00Z', '2026-02-30T10:00:00Z'],
    ['duration', 'P1DT2H', 'P'], ['object', {}, []], ['array', [], {}],
    ['uri', 'https://example.org/a?b', 'example.org'], ['email', 'ana@example.org', 'ana'], ['uuid', '3f2b8c1e-0000-4000-8000-000000000000', '3f2b8c1e'],
    ['airport_code', 'OSL', 7],
  ])('%s takes %j and not %j', (type, good, bad) => {
    expect(inputValue(type)(good)).toEqual([])
    expect(inputValue(type)(bad)).toHaveLength(1)
  }) // prettier-ignore

  it('keeps to a closed set', () => {
    expect(inputValue('string', ['EUR', 'USD'])('EUR')).toEqual([])
    expect(inputValue('string', ['EUR', 'USD'])('SEK')).toEqual([{ path: '', message: 'must be one of ["EUR","USD"]' }])
  })
})

describe('outputFields', () => {
  it('names the field that is wrong', () => {
    const check = outputFields({ offers: 'array', total: 'any' })
    expect(check({ offers: [], total: { a: 1 } })).toEqual([])
    expect(check({ offers: [], total: null })).toEqual([])
    expect(check({})).toEqual([
      { path: 'offers', message: 'is missing; it must be an array' },
      { path: 'total', message: 'is missing; it must be a value' },
    ])
    expect(check({ offers: null, total: 1 })).toEqual([{ path: 'offers', message: 'must be an array' }])
    expect(check({ offers: 'none', total: 1 })).toEqual([{ path: 'offers', message: 'must be an array' }])
    expect(check('none')).toEqual([{ path: '', message: 'must be an object' }])
  })

  it('takes null where the type says so', () => {
    const check = outputFields({ city: ['string', 'null'] })
    expect(check({ city: null })).toEqual([])
    expect(check({ city: 'Berlin' })).toEqual([])
    expect(check({ city: 1 })).toEqual([{ path: 'city', message: 'must be a string, or null' }])
    expect(check({})).toEqual([{ path: 'city', message: 'is missing; it must be a string, or null' }])
  })
})

const RESOLVERS = {
  'catalog.cities': ({ value }: { value: unknown }) => {
    if (value === 'San') return { ambiguous: ['San Jose', 'San Diego'] }
    return value === 'Atlantis' ? { unresolved: true as const } : { value: `${String(value)}!` }
  },
}

/** What the handler gets for the input `city`, or the failure. */
async function resolve(
  resolution: Resolution,
  given: object,
  rest: Partial<Input> = {},
  effect: 'read' | 'write' = 'read',
  fromActor?: string,
) {
  const city = input('city', { resolution: { resolver_ref: 'catalog.cities', ...resolution }, ...rest })
  let seen: unknown
  const { root, invoke } = await startFixture({
    capabilities: { search: capability({ inputs: [city], side_effect: { type: effect } }) },
    handlers: { search: (all: { city?: unknown }) => ((seen = 'city' in all ? all.city : 'omitted'), {}) },
    implementation: {
      resolvers: RESOLVERS,
      actorPolicy: ({ input: name, token }) => fromActor && `${name} of ${token.subject} ${fromActor}`,
    },
  })
  const { body } = await invoke('search', (await root()).token, { parameters: given })
  const failure = body['failure']
  if (failure === undefined) return seen
  return failure['clarification'] === undefined ? failure['type'] : failure['clarification']['inputs']
}

describe('a resolution mode', () => {
  const values = { allowed_values: ['Oslo', 'Rome'] }
  const ask = (reason: string, more: object = {}) => [{ name: 'city', reason, ...more }]

  it.each<[Resolution, object, Partial<Input>, unknown]>([
    [{ mode: 'closed_values' }, { city: 'Oslo' }, values, 'Oslo'],
    [{ mode: 'closed_values' }, { city: 'Bonn' }, values, 'invalid_parameters'],
    [
      { mode: 'closed_values', on_unresolved: 'clarify' },
      { city: 'Bonn' },
      values,
      ask('unresolved', { allowed_values: ['Oslo', 'Rome'], candidates: ['Oslo', 'Rome'] }),
    ],
    [{ mode: 'closed_values' }, {}, values, ask('missing', { allowed_values: ['Oslo', 'Rome'] })],
    [{ mode: 'closed_values' }, {}, { ...values, default: 'Rome' }, 'Rome'],
    [{ mode: 'closed_values', on_missing: 'use_default' }, {}, { ...values, default: 'Rome' }, 'Rome'],
    [{ mode: 'backend_resolved' }, { city: 'Oslo' }, {}, 'Oslo!'],
    [{ mode: 'backend_resolved' }, { city: 'San' }, {}, ask('ambiguous', { candidates: ['San Jose', 'San Diego'] })],
    [{ mode: 'backend_resolved' }, { city: 'Atlantis' }, {}, 'invalid_parameters'],
    [{ mode: 'backend_resolved', on_ambiguous: 'deny' }, { city: 'San' }, {}, 'invalid_parameters'],
    [{ mode: 'backend_resolved', on_unresolved: 'omit' }, { city: 'Atlantis' }, { required: false }, 'omitted'],
    [{ mode: 'backend_resolved', on_unresolved: 'omit' }, { city: 'Atlantis' }, {}, 'invalid_parameters'],
    [{ mode: 'actor_policy' }, {}, {}, 'city of human:ana home'],
    [{ mode: 'actor_policy' }, { city: 'Oslo' }, {}, 'invalid_parameters'],
    [{ mode: 'actor_policy_or_explicit' }, { city: 'Oslo' }, {}, 'Oslo'],
    [{ mode: 'actor_policy_or_explicit' }, {}, {}, 'city of human:ana home'],
    [{ mode: 'app_selected' }, { city: 'Oslo' }, {}, 'Oslo'],
    [{ mode: 'app_selected' }, {}, { default: 'Rome' }, ask('missing')],
    [{ mode: 'explicit_only' }, {}, { default: 'Rome' }, 'invalid_parameters'],
    [{ mode: 'explicit_only' }, {}, { required: false, default: 'Rome' }, 'omitted'],
    [{ mode: 'clarify' }, {}, {}, ask('missing')],
    [{ mode: 'clarify' }, {}, { default: 'Rome' }, ask('missing')],
    [{ mode: 'clarify' }, {}, { required: false, default: 'Rome' }, ask('missing')],
    [{ mode: 'clarify' }, {}, { required: false }, ask('missing')],
    [{ mode: 'clarify' }, { city: 'San' }, {}, ask('ambiguous', { candidates: ['San Jose', 'San Diego'] })],
  ])('%j given %j is resolved', async (resolution, given, rest, expected) => {
    expect(await resolve(resolution, given, rest, 'read', 'home')).toEqual(expected)
  })

  it.each<[Resolution['on_missing'], 'read' | 'write', Partial<Input>, string | undefined, unknown]>([
    ['clarify', 'write', {}, undefined, ask('missing')],
    ['use_default', 'read', { default: 'Rome' }, undefined, 'Rome'],
    ['use_default', 'read', {}, undefined, 'invalid_parameters'],
    ['use_actor_scope', 'read', {}, 'home', 'city of human:ana home'],
    ['use_actor_scope', 'read', {}, undefined, 'invalid_parameters'],
    ['app_select_or_clarify', 'read', {}, undefined, ask('missing')],
    ['deny', 'read', {}, undefined, 'invalid_parameters'],
    ['deny_or_clarify', 'read', {}, undefined, ask('missing')],
    ['deny_or_clarify', 'write', {}, undefined, 'invalid_parameters'],
    ['omit', 'read', { required: false }, undefined, 'omitted'],
    ['omit', 'read', {}, undefined, 'invalid_parameters'],
  ])('does %s for a %s when a value is missing', async (on_missing, effect, rest, actor, expected) => {
    expect(await resolve({ mode: 'explicit_only', on_missing: on_missing! }, {}, rest, effect, actor)).toEqual(expected)
  })

  it('finds nothing where the actor policy answers null', async () => {
    const { root, invoke } = await startFixture({
      capabilities: { search: capability({ inputs: [input('city', { required: false, resolution: { mode: 'actor_policy' } })] }) },
      handlers: { search: (all: object) => (expect(all).toEqual({}), {}) },
      implementation: { actorPolicy: () => null },
    })
    expect((await invoke('search', (await root()).token)).body['success']).toBe(true)
  }) // prettier-ignore

  it('asks for all that is missing in one answer, complete', async () => {
    const { root, invoke } = await startFixture({
      capabilities: {
        search: capability({
          inputs: [
            input('from', { resolution: { mode: 'clarify' } }),
            input('to', { description: 'Where to.', resolution: { mode: 'app_selected' } }),
          ],
        }),
      },
    })
    const reply = await invoke('search', (await root()).token)
    expect(reply.status).toBe(422)
    expect(reply.body['failure']).toEqual({
      type: 'clarification_required',
      detail: 'These inputs need clarification: from, to.',
      retry: false,
      resolution: { action: 'provide_input', recovery_class: 'revalidate_then_retry', requires: 'from, to' },
      clarification: {
        inputs: [
          { name: 'from', reason: 'missing' },
          { name: 'to', reason: 'missing', description: 'Where to.' },
        ],
      },
    })
  })
})

describe('a hook that does not answer', () => {
  const never = () => new Promise<never>(() => undefined)
  const bound = { requires_binding: [{ type: 'quote', field: 'city' }] }

  it.each([
    ['resolver', { resolution: { mode: 'backend_resolved', resolver_ref: 'slow' } }, {}, { city: 'Oslo' }],
    ['actor policy', { resolution: { mode: 'actor_policy' } }, {}, {}],
    ['resolver of bindings', {}, bound, { city: 'bnd_elsewhere' }],
  ] as const)('ends the call in time: %s', async (_, rest, also, parameters) => {
    const { root, invoke, trail } = await startFixture({
      capabilities: { search: capability({ inputs: [input('city', rest)], ...also }) },
      implementation: { resolvers: { slow: never }, actorPolicy: never, resolveBinding: never },
      limits: { hookTimeoutMs: 30 },
    })
    const { token } = await root()
    const { status, body } = await invoke('search', token, { parameters })
    expect([status, body['failure']?.['type'], body['failure']?.['retry']]).toEqual([503, 'service_unavailable', true])
    expect((await trail(token))[0]?.['failure_type']).toBe('service_unavailable')
  })
})

it('L10: -0 reaches nobody as -0, whoever says it, because the digest says 0', async () => {
  const zero = { type: 'number', required: false } as const
  const inputs = [
    input('given', zero),
    input('nested', { type: 'object', required: false }),
    input('found', { ...zero, resolution: { mode: 'backend_resolved', resolver_ref: 'zero' } }),
    input('listed', { type: 'array', resolution: { mode: 'backend_resolved', resolver_ref: 'list' } }),
    input('held', { ...zero, resolution: { mode: 'actor_policy' } }),
    input('fallen', { ...zero, default: -0, resolution: { mode: 'explicit_only', on_missing: 'use_default' } }),
  ]
  const asked: unknown[] = []
  const seen: unknown[] = []
  const isMinus = (value: unknown): boolean =>
    Object.is(value, -0) || (typeof value === 'object' && value !== null && Object.values(value).some(isMinus))
  const { root, call } = await startFixture({
    capabilities: { search: capability({ inputs }) },
    handlers: { search: (all: object) => (seen.push(all), {}) },
    implementation: {
      resolvers: {
        zero: ({ value }) => (asked.push(value), { value: -0 }),
        list: () => ({ value: [-0, { deep: -0 }] }),
      },
      actorPolicy: () => -0,
    },
  })
  const text = '{"parameters": {"given": -0, "nested": {"in": [-0.0, -0e5]}, "found": -0, "listed": []}}'
  const { status } = await call('POST', '/svc/invoke/search', { bearer: (await root()).token, text })
  expect(status).toBe(200)
  expect(seen).toEqual([{ given: 0, nested: { in: [0, 0] }, found: 0, listed: [0, { deep: 0 }], held: 0, fallen: 0 }])
  expect([isMinus(seen), isMinus(asked)]).toEqual([false, false])
})

describe('what is asked of the service', () => {
  const found = { mode: 'backend_resolved' } as const
  it.each([
    ['a person', {}, 'human:ana'],
    ['an agent of a person', { subject: 'agent:planner' }, 'agent:planner'],
  ])('is asked for %s: the subject of the token', async (_, members, principal) => {
    const asked: unknown[] = []
    const { root, invoke } = await startFixture({
      capabilities: { search: capability({ inputs: [input('city', { catalog_ref: 'cities', resolution: { ...found, resolver_ref: 'near' } })] }) },
      implementation: { resolvers: { near: (all) => (asked.push(all), { value: 'Oslo' }), cities: () => ({ value: 'Rome' }) } },
    })
    const { token } = await root(members)
    expect((await invoke('search', token, { parameters: { city: 'Os' } })).status).toBe(200)
    expect(asked).toEqual([{ capability: 'search', input: 'city', value: 'Os', resolver_ref: 'near', catalog_ref: 'cities', principal }])
  }) // prettier-ignore

  it('is asked for the agent to whom an agent delegated', async () => {
    const asked: unknown[] = []
    const { root, issued, invoke } = await startFixture({
      capabilities: { search: capability({ inputs: [input('city', { catalog_ref: 'cities', resolution: found }), input('owner', { resolution: { mode: 'actor_policy' } })] }) },
      implementation: {
        resolvers: { cities: (all) => (asked.push(all), { value: 'Oslo' }) },
        actorPolicy: (all) => (asked.push(all), 'x'),
      },
    })
    const parent = await root({ subject: 'agent:planner', session_id: 's-1' })
    const child = await issued(parent.token, { scope: ['travel.search'], subject: 'agent:worker', parent_token: parent.token_id, purpose_parameters: { task_id: 't-1' } })
    expect((await invoke('search', child.token, { parameters: { city: 'Os' } })).status).toBe(200)
    expect(asked).toEqual([
      { capability: 'search', input: 'city', value: 'Os', catalog_ref: 'cities', principal: 'agent:worker' },
      {
        capability: 'search', input: 'owner',
        token: { token_id: child.token_id, subject: 'agent:worker', root_principal: 'human:ana', scope: ['travel.search'], session_id: 's-1', purpose: { task_id: 't-1' } },
      },
    ])
  }) // prettier-ignore
})
