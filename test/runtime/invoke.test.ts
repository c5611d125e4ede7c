import { describe, expect, it } from 'vitest'
import { capability, declares, input } from './fixture/manifest.js'
import { startFixture } from './fixture/service.js'
import type { HandlerContext } from '../../src/runtime/index.js'

const capabilities = {
  search: capability({
    ...declares('sold_out'),
    inputs: [input('city'), input('nights', { type: 'integer', required: false, default: 1 })],
    output: {
      type: 'offers',
      fields: [
        { name: 'offers', type: 'array' },
        { name: 'note', type: 'any' },
      ],
    },
    observability: { fields_logged: ['city'] },
  }),
  book: capability({ side_effect: { type: 'irreversible' }, minimum_scope: ['travel.search', 'travel.book'] }),
  erase: capability({ requires_principal: ['human'] }),
  bound: capability({ control_requirements: [{ type: 'stronger_delegation_required' }] }),
  capped: capability({ control_requirements: [{ type: 'cost_ceiling' }] }),
}

describe('an invocation', () => {
  it.each<readonly [object, string]>([
    [{ n: 1 }, 'is left out'],
    [{ n: 1, got: null }, 'is null'],
    [{ n: 1, got: undefined }, 'is undefined'],
  ])('is no success where a declared field of the output is not given: %j %s', async (returned) => {
    const fields = ['got', 'n'].map((name) => ({ name, type: name === 'n' ? 'integer' : 'string' }))
    const output = { type: 'object', fields }
    const { root, invoke, logged } = await startFixture({
      capabilities: {
        reads: capability({ output }),
        writes: capability({ output, side_effect: { type: 'write' } }),
      },
      handlers: { reads: () => returned, writes: () => returned },
    })
    const { token } = await root()
    const read = await invoke('reads', token)
    expect([read.status, read.body['failure']?.['type']]).toEqual([500, 'internal_error'])
    expect((await invoke('writes', token)).body['failure']?.['type']).toBe('outcome_unknown')
    expect(JSON.stringify(logged)).toContain('The result of reads is wrong: got')
  })

  it.each([
    [{ parameters: {}, stray: 1 }, 'ref-1', 'ref-1'],
    [{ parameters: [] }, 'ref-1', 'ref-1'],
    [{ parameters: {} }, 'r'.repeat(257), undefined],
    [{ parameters: {} }, 7, undefined],
  ])('echoes the reference of a body that it refuses: %j with %j', async (body, client_reference_id, echoed) => {
    const { root, post } = await startFixture({ capabilities })
    const { token } = await root()
    const reply = await post('/svc/invoke/search', token, { ...body, client_reference_id })
    expect([reply.status, reply.body['failure']?.['type']]).toEqual([400, 'invalid_parameters'])
    expect(reply.body['client_reference_id']).toBe(echoed)
  })

  it('gives the handler resolved inputs and the caller an envelope', async () => {
    const seen: unknown[] = []
    const { root, invoke } = await startFixture({
      capabilities,
      handlers: {
        search: (given: object, { principal, invocation }: HandlerContext) => {
          seen.push(given, principal, invocation)
          return { offers: ['hotel'], note: null, secret: 'dropped' }
        },
      },
    })
    const { token } = await root({ subject: 'agent:planner', purpose_parameters: { task_id: 'trip-7' } })
    const reply = await invoke('search', token, {
      parameters: { city: 'Oslo' },
      client_reference_id: 'ref-1',
      parent_invocation_id: 'inv-0123456789ab',
      upstream_service: 'concierge',
    })
    expect(reply.status).toBe(200)
    expect(reply.headers.get('cache-control')).toBe('no-store')
    const lineage = {
      invocation_id: expect.stringMatching(/^inv-[0-9a-f]{12}$/u) as string,
      client_reference_id: 'ref-1',
      task_id: 'trip-7',
      parent_invocation_id: 'inv-0123456789ab',
      upstream_service: 'concierge',
    }
    expect(reply.body).toEqual({ success: true, ...lineage, result: { offers: ['hotel'], note: null } })
    expect(seen).toEqual([{ city: 'Oslo', nights: 1 }, 'agent:planner', lineage])
  })

  it.each([
    [{ parameters: [] }],
    [{}],
    [{ parameters: {}, surprise: true }],
    [{ parameters: {}, task_id: 'x'.repeat(257) }],
    [{ parameters: {}, parent_invocation_id: 'inv-0123456789AB' }],
  ])('of a body that does not read, %j, is refused and has no id', async (body) => {
    const { root, invoke } = await startFixture({ capabilities })
    const { token } = await root({ subject: 'agent:planner' })
    const reply = await invoke('search', token, body)
    expect([reply.status, reply.body['failure']?.['type'], reply.body['invocation_id']]).toEqual([400, 'invalid_parameters', undefined]) // prettier-ignore
  })

  it.each([
    ['search', { parameters: {} }, 400, 'invalid_parameters'],
    ['search', { parameters: { city: 7 } }, 400, 'invalid_parameters'],
    ['search', { parameters: { city: 'Oslo', nights: 1.5 } }, 400, 'invalid_parameters'],
    ['search', { parameters: { city: 'Oslo', stars: 5 } }, 400, 'invalid_parameters'],
    ['search', { parameters: {}, task_id: 'trip-8' }, 403, 'purpose_mismatch'],
    ['search', { parameters: {}, stream: true }, 400, 'streaming_not_supported'],
    ['fly', { parameters: {} }, 404, 'unknown_capability'],
    ['__proto__', { parameters: {} }, 404, 'unknown_capability'],
    ['book', { parameters: {} }, 403, 'scope_insufficient'],
    ['erase', { parameters: {} }, 403, 'non_delegable_action'],
    ['bound', { parameters: {} }, 403, 'control_requirement_unsatisfied'],
    ['capped', { parameters: {} }, 403, 'control_requirement_unsatisfied'],
  ])('of %s with %j is refused: %i %s', async (name, body, status, type) => {
    const { root, invoke } = await startFixture({ capabilities })
    const { token } = await root({ subject: 'agent:planner', purpose_parameters: { task_id: 'trip-7' } })
    const reply = await invoke(name, token, body)
    expect([reply.status, reply.body['failure']?.['type']]).toEqual([status, type])
    expect(reply.body['invocation_id']).toMatch(/^inv-[0-9a-f]{12}$/u)
  })

  it.each([
    [() => { throw new Error('canary') }, 500, 'internal_error'],
    [() => Promise.reject(new Error('canary')), 500, 'internal_error'],
    [() => ({ offers: 'canary' }), 500, 'internal_error'],
    [() => undefined, 500, 'internal_error'],
    [() => ({ offers: [1n] }), 500, 'internal_error'],
    [(_: object, ctx: HandlerContext) => ctx.fail('sold_out', 'Nothing is left.', { left: 0 }), 422, 'sold_out'],
    [(_: object, ctx: HandlerContext) => ctx.fail('rate_limited', 'Slow down.'), 429, 'rate_limited'],
    [(_: object, ctx: HandlerContext) => ctx.fail('canary', 'It is declared nowhere.'), 500, 'internal_error'],
    [(_: object, ctx: HandlerContext) => ctx.fail('rate_limited', 'canary', {}, 418), 500, 'internal_error'],
    [(_: object, ctx: HandlerContext) => ctx.bindings.issue({ type: 'canary' }), 500, 'internal_error'],
  ])('whose handler fails (%#) answers %i %s and nothing of its secrets', async (search, status, type) => {
    const { root, invoke } = await startFixture({ capabilities, handlers: { search } })
    const { token } = await root()
    const reply = await invoke('search', token, { parameters: { city: 'Oslo' } })
    expect([reply.status, reply.body['failure']?.['type']]).toEqual([status, type])
    expect(JSON.stringify(reply.body)).not.toContain('canary')
  }) // prettier-ignore

  it('whose handler finds a credential wanting tells which one, as any 401 does', async () => {
    const search = (_: object, ctx: HandlerContext) => ctx.fail('authentication_required', 'Sign in at the shop.')
    const { root, invoke } = await startFixture({ capabilities, handlers: { search } })
    const reply = await invoke('search', (await root()).token, { parameters: { city: 'Oslo' } })
    expect([reply.status, reply.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
  })

  it('is cut off when it takes too long', async () => {
    const never = () => new Promise(() => undefined)
    const { root, invoke } = await startFixture({
      capabilities,
      handlers: { search: never, book: never },
      limits: { handlerTimeoutMs: 20 },
    })
    const { token } = await root({ scope: ['travel.search', 'travel.book'] })
    expect((await invoke('search', token, { parameters: { city: 'Oslo' } })).body['failure']?.['type']).toBe(
      'service_unavailable',
    )
    expect((await invoke('book', token)).body['failure']?.['type']).toBe('outcome_unknown')
  })

  it('tells a handler that listens when it has taken too long, through a copy of its context, too', async () => {
    const heard: string[] = []
    const listen = (name: string, { signal }: HandlerContext) =>
      signal.addEventListener('abort', () => heard.push(name, (signal.reason as Error).message))
    const search = (_: object, ctx: HandlerContext) => {
      listen('itself', ctx)
      listen('copy', { ...ctx })
      return new Promise(() => undefined)
    }
    const { root, invoke } = await startFixture({
      capabilities,
      handlers: { search },
      limits: { handlerTimeoutMs: 20 },
    })
    await invoke('search', (await root()).token, { parameters: { city: 'Oslo' } })
    expect(heard).toEqual(['itself', 'The handler took too long.', 'copy', 'The handler took too long.'])
  })

  it('asks for its signal in the same way as every other: V8 keeps what has a getter of its own', async () => {
    const getters = new Set<unknown>()
    const search = (_: object, ctx: HandlerContext) => {
      getters.add(Object.getOwnPropertyDescriptor(ctx, 'signal')?.get)
      return { offers: [] }
    }
    const { root, invoke } = await startFixture({ capabilities, handlers: { search } })
    const { token } = await root()
    await invoke('search', token, { parameters: { city: 'Oslo' } })
    await invoke('search', token, { parameters: { city: 'Oslo' } })
    expect([...getters]).toEqual([expect.any(Function)])
  })
})

describe('the trail', () => {
  it('has one entry for each invocation, with its class and only the inputs that are logged', async () => {
    const { root, invoke, trail } = await startFixture({
      capabilities,
      handlers: { search: () => ({ offers: [], note: null }) },
    })
    const { token, token_id } = await root({ scope: ['travel.search', 'travel.book'] })
    await invoke('search', token, { parameters: { city: 'Oslo', nights: 2 } })
    await invoke('search', token, { parameters: { city: 1 } })
    await invoke('book', token)
    await invoke('fly', token)
    const entries = await trail(token)
    expect(
      entries.map((each) => [each['entry_type'], each['capability'], each['event_class'], each['failure_type']]),
    ).toEqual([
      ['invocation', 'fly', 'low_risk_failure', 'unknown_capability'],
      ['invocation', 'book', 'high_risk_success', null],
      ['invocation', 'search', 'low_risk_failure', 'invalid_parameters'],
      ['invocation', 'search', 'low_risk_success', null],
      ['token_issued', null, 'low_risk_success', null],
    ])
    expect(entries[3]).toEqual({
      sequence: 2,
      entry_type: 'invocation',
      invocation_id: expect.stringMatching(/^inv-/u) as string,
      capability: 'search',
      actor_key: 'human:ana',
      root_principal: 'human:ana',
      event_class: 'low_risk_success',
      success: true,
      failure_type: null,
      client_reference_id: null,
      task_id: null,
      parent_invocation_id: null,
      upstream_service: null,
      approval_request_id: null,
      approval_grant_id: null,
      token_id,
      delegation_chain: [token_id],
      cost_actual: null,
      parameters: { city: 'Oslo' },
      timestamp: '2026-03-01T12:00:00.000Z',
    })
  })

  it('is filtered, paged and kept apart by root principal', async () => {
    const { root, issued, invoke, trail, post } = await startFixture({
      capabilities,
      handlers: { search: () => ({ offers: [] }) },
    })
    const { token } = await root()
    const eve = await issued('eve-key', { scope: ['travel.search'] })
    for (const ref of ['a', 'b', 'c'])
      await invoke('search', token, { parameters: { city: 'Oslo' }, client_reference_id: ref })
    expect((await trail(token, '?client_reference_id=b')).map((each) => each['client_reference_id'])).toEqual(['b'])
    expect((await trail(eve.token)).map((each) => each['entry_type'])).toEqual(['token_issued'])
    const page = await post('/svc/audit?limit=2', token)
    expect([page.body['count'], page.body['next_cursor']]).toEqual([2, '4'])
    expect((await trail(token, '?limit=2&cursor=4')).map((each) => each['client_reference_id'])).toEqual(['a', null])
    expect(await trail(token, '?since=2026-03-01T12:00:00Z')).toEqual([])
    expect((await trail(token, '?since=2026-03-01T12:59:59%2B01:00')).length).toBe(4)
    for (const query of [
      '?limit=0',
      '?limit=1001',
      '?since=yesterday',
      '?since=2026-02-30T00:00:00Z',
      '?until=2026-03-01T24:00:00Z',
      '?surprise=1',
      '?event_class=x',
      '?limit=1&limit=2',
    ])
      expect((await post(`/svc/audit${query}`, token)).body['failure']?.['type']).toBe('invalid_parameters')
    expect((await post('/svc/audit', token, { limit: 1 })).body['failure']?.['detail']).toBe(
      'The body takes no filters, but has limit: send them as query parameters.',
    )
  })
})

describe('permissions', () => {
  it('come from the checks that invoke runs', async () => {
    const { root, post } = await startFixture({ capabilities })
    const { token } = await root({ subject: 'agent:planner', capability: 'search' })
    const { body } = await post('/svc/permissions', token, {})
    expect(body).toEqual({
      available: [{ capability: 'search', scope_match: 'travel.search', constraints: { max_delegation_depth: 3, concurrent_branches: 'allowed' } }],
      restricted: [
        { capability: 'book', reason: 'The token lacks travel.book.', reason_type: 'insufficient_scope', grantable_by: 'human:ana', resolution_hint: 'request_broader_scope' },
        { capability: 'bound', reason: 'The token is bound to the capability search.', reason_type: 'stronger_delegation_required', grantable_by: 'human:ana', resolution_hint: 'request_new_delegation' },
        { capability: 'capped', reason: 'The token is bound to the capability search.', reason_type: 'stronger_delegation_required', grantable_by: 'human:ana', resolution_hint: 'request_new_delegation' },
      ],
      denied: [{ capability: 'erase', reason: 'Only a human principal itself may invoke this capability.', reason_type: 'non_delegable' }],
    })
  }) // prettier-ignore

  it('name every control requirement that is not met', async () => {
    const control_requirements = [{ type: 'stronger_delegation_required' }, { type: 'cost_ceiling' }] as const
    const { root, post } = await startFixture({ capabilities: { both: capability({ control_requirements }) } })
    const { body } = await post('/svc/permissions', (await root({ subject: 'agent:planner' })).token)
    expect(body['restricted']).toMatchObject([
      { capability: 'both', unmet_token_requirements: ['stronger_delegation_required', 'cost_ceiling'] },
    ])
  })

  it('name unmet control requirements, and what only the root principal may do', async () => {
    const { root, post } = await startFixture({ capabilities })
    const { token } = await root({ subject: 'agent:planner' })
    const { body } = await post('/svc/permissions', token)
    expect(body['denied']).toMatchObject([{ capability: 'erase', reason_type: 'non_delegable' }])
    expect(body['restricted']).toMatchObject([
      { capability: 'book', reason_type: 'insufficient_scope' },
      {
        capability: 'bound',
        reason_type: 'unmet_control_requirement',
        unmet_token_requirements: ['stronger_delegation_required'],
      },
      { capability: 'capped', reason_type: 'unmet_control_requirement', unmet_token_requirements: ['cost_ceiling'] },
    ])
  })
})
