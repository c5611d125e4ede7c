import { describe, expect, it, vi } from 'vitest'
import type { Capability, Composition } from '../../src/protocol/manifest.js'
import { recordUnrecorded } from '../../src/runtime/call/settle/waiting.js'
import { StorageUnavailable } from '../../src/runtime/storage/contract.js'
import { openSqlite } from '../../src/runtime/storage/sqlite/index.js'
import { capability, declares, input } from './fixture/manifest.js'
import { requestOf, startFixture, type Reading } from './fixture/service.js'
import type { HandlerContext } from '../../src/runtime/index.js'

const policy = {
  allowed_grant_types: ['one_time'],
  default_grant_type: 'one_time',
  expires_in_seconds: 900,
  max_uses: 1,
} as const
const output = (...names: readonly string[]) => ({
  type: 'object',
  fields: names.map((name) => ({ name, type: 'any' })),
})

const trip = (differences: Partial<Composition> = {}, rest: Partial<Capability> = {}) =>
  capability({
    kind: 'composed',
    inputs: [input('city')],
    output: output('offer', 'booking'),
    side_effect: { type: 'irreversible' },
    minimum_scope: ['travel.search'],
    composition: {
      authority_boundary: 'same_service',
      steps: [
        { id: 'find', capability: 'search', empty_result_source: true, empty_result_path: '$.offers' },
        { id: 'take', capability: 'book' },
      ],
      input_mapping: { find: { city: '$.input.city' }, take: { offer: '$.steps.find.output.offers' } },
      output_mapping: { offer: '$.steps.find.output.offers', booking: '$.steps.take.output.id' },
      failure_policy: {
        child_clarification: 'propagate',
        child_denial: 'propagate',
        child_approval_required: 'propagate',
        child_error: 'fail_parent',
      },
      empty_result_policy: 'return_success_no_results',
      empty_result_output: { offer: [], booking: null },
      audit_policy: { record_child_invocations: true, parent_task_lineage: true },
      ...differences,
    },
    ...rest,
  })

const search = capability({ inputs: [input('city')], output: output('offers') })
const book = capability({
  inputs: [input('offer', { type: 'array' })],
  output: output('id'),
  side_effect: { type: 'irreversible' },
  ...declares('sold_out'),
})
const handlers = {
  search: ({ city }: { city: string }) => ({ offers: city === 'Nowhere' ? [] : [`${city} Inn`] }),
  book: ({ offer }: { offer: string[] }) => ({ id: `b-${offer[0]}` }),
}

const start = (differences: { capabilities?: { [name: string]: Capability }; handlers?: object } = {}) =>
  startFixture({
    capabilities: { search, book, trip: trip(), ...differences.capabilities },
    handlers: { ...handlers, ...differences.handlers },
  })

const oslo = { parameters: { city: 'Oslo' } }

describe('a composed capability', () => {
  it('runs its steps in order, each an invocation of its own below the whole', async () => {
    const { root, invoke, trail } = await start()
    const { token } = await root({ purpose_parameters: { task_id: 'trip-7' } })
    const { body } = await invoke('trip', token, { ...oslo, task_id: 'trip-7', client_reference_id: 'ref-1' })
    expect(body['result']).toEqual({ offer: ['Oslo Inn'], booking: 'b-Oslo Inn' })
    const entries = (await trail(token)).slice(0, 3)
    expect(
      entries.map((each) => [
        each['capability'],
        each['parent_invocation_id'],
        each['task_id'],
        each['client_reference_id'],
      ]),
    ).toEqual([
      ['trip', null, 'trip-7', 'ref-1'],
      ['book', body['invocation_id'], 'trip-7', 'ref-1'],
      ['search', body['invocation_id'], 'trip-7', 'ref-1'],
    ])
  })

  it('keeps its steps off the trail where the audit policy says so, unless they have effects', async () => {
    const { root, invoke, trail } = await start({ capabilities: { trip: trip({ audit_policy: { record_child_invocations: false, parent_task_lineage: false } }) } })
    const { token } = await root()
    await invoke('trip', token, { ...oslo, client_reference_id: 'ref-1' })
    expect((await trail(token)).map((each) => [each['capability'], each['client_reference_id']])).toEqual([['trip', 'ref-1'], ['book', null], [null, null]])
  }) // prettier-ignore

  it('keeps the task of a call off its steps where the audit policy says so, but not one that the token names', async () => {
    const { root, invoke, trail } = await start({ capabilities: { trip: trip({ audit_policy: { record_child_invocations: true, parent_task_lineage: false } }) } })
    const steps = async (purpose_parameters: object) => {
      const { token } = await root({ purpose_parameters })
      const { body } = await invoke('trip', token, { ...oslo, task_id: 'trip-7' })
      const kept = (await trail(token)).filter((each) => each['parent_invocation_id'] === body['invocation_id'])
      return kept.map((each) => [each['capability'], each['task_id']])
    }
    expect(await steps({})).toEqual([['book', null], ['search', null]])
    expect(await steps({ task_id: 'trip-7' })).toEqual([['book', 'trip-7'], ['search', 'trip-7']])
  }) // prettier-ignore

  it.each([
    ['return_success_no_results', undefined, { offer: [], booking: null }],
    ['clarify', 'clarification_required', undefined],
    ['deny', 'composition_empty_result', undefined],
  ] as const)('that finds nothing ends by the policy %s', async (empty_result_policy, type, result) => {
    const { root, invoke } = await start({ capabilities: { trip: trip({ empty_result_policy }) } })
    const { body } = await invoke('trip', (await root()).token, { parameters: { city: 'Nowhere' } })
    expect(body['failure']?.['type']).toBe(type)
    expect(body['result']).toEqual(result)
  })

  it.each([
    ['null', null, true],
    ['an empty text', '', true],
    ['an empty list', [], true],
    ['a blank', ' ', false],
    ['zero', 0, false],
    ['false', false, false],
    ['an object without members', {}, false],
  ])('finds nothing where the source of its result is %s: %j', async (_, found, isNothing) => {
    const { root, invoke } = await start({
      capabilities: {
        search: { ...search, output: { type: 'object', fields: [{ name: 'offers', type: 'any' }] } },
        book: capability({ inputs: [input('offer', { type: 'object', required: false })], output: output('id') }),
        trip: trip({ empty_result_policy: 'deny', input_mapping: { find: { city: '$.input.city' }, take: {} } }),
      },
      handlers: { search: () => ({ offers: found }), book: () => ({ id: 'b-1' }) },
    })
    const { body } = await invoke('trip', (await root()).token, oslo)
    expect(body['failure']?.['type']).toBe(isNothing ? 'composition_empty_result' : undefined)
  })

  it.each([
    ['the inputs of the step', { find: { city: '$.input.city' } }, ['city']],
    ['all inputs, where the step has none of them', { find: {} }, ['city', 'stars']],
  ] as const)('that finds nothing and clarifies asks for %s', async (_, mapping, names) => {
    const input_mapping = { ...mapping, take: { offer: '$.steps.find.output.offers' } }
    const inputs = [input('city', { description: 'Where to.' }), input('stars', { required: false })]
    const composed = trip({ empty_result_policy: 'clarify', input_mapping }, { inputs })
    const anywhere = { ...search, inputs: [input('city', { required: false })] }
    const { root, invoke } = await start({
      capabilities: { search: anywhere, trip: composed },
      handlers: { search: () => ({ offers: [] }) },
    })
    const { body } = await invoke('trip', (await root()).token, { parameters: { city: 'Nowhere' } })
    const questions = [
      { name: 'city', reason: 'unresolved', description: 'Where to.' },
      { name: 'stars', reason: 'unresolved' },
    ]
    expect(body['failure']?.['clarification']).toEqual({ inputs: questions.slice(0, names.length) })
    expect(body['failure']?.['resolution']?.['requires']).toBe(names.join(', '))
  })

  it('that finds nothing gives what the paths of its empty output name, and null where they name nothing', async () => {
    const empty_result_output = { offer: '$.steps.find.output.offers', booking: '$.input.city', note: '$.input.none' }
    const composed = trip({ empty_result_output }, { output: output('offer', 'booking', 'note') })
    const { root, invoke } = await start({ capabilities: { trip: composed } })
    const { body } = await invoke('trip', (await root()).token, { parameters: { city: 'Nowhere' } })
    expect(body['result']).toEqual({ offer: [], booking: 'Nowhere', note: null })
  })

  it('gives a step the literals of x-literals, which it checks like values of a caller', async () => {
    const given: unknown[] = []
    const limited = {
      ...search,
      inputs: [input('city'), input('limit', { type: 'integer', allowed_values: [10, 20] })],
    }
    const tripOf = (limit: number) => trip({ 'x-literals': { find: { limit } } })
    const { root, invoke } = await start({
      capabilities: { search: limited, trip: tripOf(10), wrong: tripOf(30) },
      handlers: { search: (inputs: object) => (given.push(inputs), { offers: ['Inn'] }) },
    })
    const { token } = await root()
    expect((await invoke('trip', token, oslo)).body['success']).toBe(true)
    expect(given).toEqual([{ city: 'Oslo', limit: 10 }])
    expect((await invoke('wrong', token, oslo)).body['failure']?.['type']).toBe('invalid_parameters')
    expect(given).toHaveLength(1)
  })

  it('needs a token that covers every step before the first one starts', async () => {
    const effects: string[] = []
    const { root, invoke } = await start({
      capabilities: { book: { ...book, minimum_scope: ['travel.book'] } },
      handlers: { search: () => (effects.push('search'), { offers: [] }) },
    })
    const { body } = await invoke('trip', (await root()).token, oslo)
    expect(body['failure']).toMatchObject({ type: 'scope_insufficient', resolution: { requires: 'travel.book' } })
    expect(effects).toEqual([])
  })

  it('asks for no binding where a step is not permitted', async () => {
    const bound = { requires_binding: [{ type: 'quote', field: 'city' }] }
    const capabilities = { book: { ...book, minimum_scope: ['travel.book'] }, trip: trip({}, bound) }
    const { root, post, invoke } = await start({ capabilities })
    const { token } = await root()
    expect((await post('/svc/permissions', token)).body['restricted']?.[1]).toMatchObject({ capability: 'trip', reason_type: 'insufficient_scope' })
    expect((await invoke('trip', token)).body['failure']?.['type']).toBe('scope_insufficient')
  }) // prettier-ignore

  it('is what a token must be bound to where a step requires a stronger delegation', async () => {
    const control_requirements = [{ type: 'stronger_delegation_required' }] as const
    const capabilities = { book: { ...book, control_requirements }, trip: trip({}, { control_requirements }) }
    const { root, post, invoke } = await start({ capabilities })
    const { token } = await root({ capability: 'trip' })
    const { body } = await post('/svc/permissions', token)
    expect(body['available']).toMatchObject([{ capability: 'trip' }])
    expect((await invoke('trip', token, oslo)).body['success']).toBe(true)
    expect((await invoke('book', token, { parameters: { offer: [] } })).body['failure']?.['type']).toBe('purpose_mismatch')
  }) // prettier-ignore

  it.each<[Partial<Capability>, object, string]>([
    [{ minimum_scope: ['travel.book'] }, { reason_type: 'insufficient_scope', resolution_hint: 'request_broader_scope' }, 'scope_insufficient'],
    [{ control_requirements: [{ type: 'cost_ceiling' }] }, { reason_type: 'unmet_control_requirement', unmet_token_requirements: ['cost_ceiling'] }, 'control_requirement_unsatisfied'],
    [{ requires_principal: ['human'] }, { reason_type: 'non_delegable' }, 'non_delegable_action'],
    [{ control_requirements: [{ type: 'stronger_delegation_required' }] }, { reason_type: 'unmet_control_requirement', unmet_token_requirements: ['stronger_delegation_required'] }, 'control_requirement_unsatisfied'],
  ])('is not permitted where a step with %j is not, before anything is taken', async (differences, entry, type) => {
    const { root, post, invoke } = await start({ capabilities: { book: { ...book, ...differences } } })
    const { token } = await root({ subject: 'agent:planner' })
    const { body } = await post('/svc/permissions', token, {})
    const named = (bucket: string) => (body[bucket] as unknown as readonly { capability: string }[]).filter((each) => each.capability === 'trip')
    expect(named('available')).toEqual([])
    expect([...named('restricted'), ...named('denied')]).toMatchObject([entry])
    expect((await invoke('trip', token, oslo)).body['failure']?.['type']).toBe(type)
  }) // prettier-ignore

  it('may be called with a token that is bound to it, and its steps may not', async () => {
    const { root, invoke } = await start()
    const { token } = await root({ capability: 'trip' })
    expect((await invoke('trip', token, oslo)).status).toBe(200)
    expect((await invoke('search', token, oslo)).body['failure']?.['type']).toBe('purpose_mismatch')
  })

  it.each([
    ['child_denial', (ctx: HandlerContext) => ctx.fail('sold_out', 'No.'), 'propagate', 422, 'sold_out'],
    ['child_denial', (ctx: HandlerContext) => ctx.fail('sold_out', 'No.'), 'fail_parent', 424, 'composition_child_failed'],
    ['child_error', () => { throw new Error('no') }, 'propagate', 500, 'outcome_unknown'],
    ['child_error', () => { throw new Error('no') }, 'fail_parent', 424, 'composition_child_failed'],
  ] as const)('whose step ends in %s hands it up by the failure policy', async (outcome, fail, word, status, type) => {
    const failure_policy = { child_clarification: 'propagate', child_denial: 'propagate', child_approval_required: 'propagate', child_error: 'propagate', [outcome]: word } as const
    const { root, invoke } = await start({ capabilities: { trip: trip({ failure_policy }) }, handlers: { book: (_: object, ctx: HandlerContext) => fail(ctx) } })
    const reply = await invoke('trip', (await root()).token, oslo)
    expect([reply.status, reply.body['failure']?.['type']]).toEqual([status, type])
    if (word === 'fail_parent') expect(reply.body['failure']?.['step']).toMatchObject({ id: 'take', capability: 'book' })
  }) // prettier-ignore

  it.each([
    ['read', true],
    ['irreversible', false],
  ] as const)('whose first step is %s says of a failure of the second: retry %s', async (type, retry) => {
    const failure_policy = { child_clarification: 'propagate', child_denial: 'propagate', child_approval_required: 'propagate', child_error: 'propagate' } as const
    const { root, invoke } = await start({
      capabilities: { search: { ...search, side_effect: { type } }, trip: trip({ failure_policy }) },
      handlers: { book: (_: object, ctx: HandlerContext) => ctx.fail('service_unavailable', 'Not now.') },
    })
    const { body } = await invoke('trip', (await root()).token, oslo)
    expect(body['failure']).toMatchObject({ type: 'service_unavailable', retry })
  }) // prettier-ignore

  it('hands up the status that a step names, too', async () => {
    const fail = (_: object, ctx: HandlerContext) => ctx.fail('sold_out', 'No.', undefined, 409)
    const { root, invoke } = await start({ handlers: { book: fail } })
    const reply = await invoke('trip', (await root()).token, oslo)
    expect([reply.status, reply.body['failure']?.['type']]).toEqual([409, 'sold_out'])
  })

  it('says that nobody knows what a step did whose entry could not be kept at once, and keeps it when it can', async () => {
    const opened = await openSqlite({ file: ':memory:' })
    let fails = 0
    const append: typeof opened.audit.append = (...given) =>
      fails-- > 0 ? Promise.reject(new StorageUnavailable('no')) : opened.audit.append(...given)
    const storage = { ...opened, audit: { ...opened.audit, append } }
    const { root, invoke, service, trail } = await startFixture({
      capabilities: { search, book, trip: trip() },
      handlers: { ...handlers, book: () => ((fails = 1), { id: 'b-1' }) },
      storage,
    })
    const { token } = await root()
    const { body } = await invoke('trip', token, oslo)
    expect(body['failure']?.['step']).toEqual({ id: 'take', capability: 'book', failure_type: 'outcome_unknown' })
    await recordUnrecorded(service)
    const entries = (await trail(token)).slice(0, 2)
    expect(entries.map((entry) => [entry['capability'], entry['success']])).toEqual([['book', true], ['trip', false]]) // prettier-ignore
  })

  it('names how to undo what earlier steps did', async () => {
    const { root, invoke } = await start({
      capabilities: { search: { ...search, side_effect: { type: 'transactional', compensation: 'cancel' } }, cancel: capability() },
      handlers: { book: () => { throw new Error('no') } },
    }) // prettier-ignore
    const { body } = await invoke('trip', (await root()).token, oslo)
    expect(body['failure']?.['compensations']).toEqual([{ step: 'find', capability: 'search', compensation: 'cancel' }])
  })

  it('raises the approval of a step for the whole, which its grant then lets continue', async () => {
    const { root, invoke, post, trail } = await start({
      capabilities: { book: { ...book, approval: { required: 'always', grant_policy: policy } } },
    })
    const { token } = await root({ subject: 'agent:planner' })
    const asked = (await invoke('trip', token, oslo)).body['failure']!
    expect(asked['type']).toBe('approval_required')
    const grant = await post('/svc/approval_grants', 'bob-key', {
      approval_request_id: asked['approval_request_id'],
      grant_type: 'one_time',
    })
    expect(grant.body['capability']).toBe('trip')
    const approval_grant = grant.body['grant_id']
    expect((await invoke('trip', token, { ...oslo, approval_grant })).body['result']).toMatchObject({
      booking: 'b-Oslo Inn',
    })
    expect((await invoke('trip', token, { ...oslo, approval_grant })).body['failure']).toMatchObject({
      reason: 'consumed',
    })
    expect((await trail(token)).filter((each) => each['capability'] === 'book' && each['success']).length).toBe(1)
  })

  describe('whose steps ask for approvals midway', () => {
    const gated = { approval: { required: 'always', grant_policy: { ...policy, max_uses: 3 } } } as const
    const write = { side_effect: { type: 'write' } } as const
    const pay = capability({ inputs: [input('id')], output: output('paid'), ...write, ...gated })
    const steps = [
      { id: 'find', capability: 'search' },
      { id: 'take', capability: 'book' },
      { id: 'pay', capability: 'pay' },
    ]
    const whole = trip().composition!
    const three = trip({
      steps,
      input_mapping: { ...whole.input_mapping, pay: { id: '$.steps.take.output.id' } },
      output_mapping: { offer: '$.steps.find.output.offers', booking: '$.steps.pay.output.paid' },
    })

    async function begin(differences: { readonly [name: string]: Capability } = {}) {
      const effects: string[] = []
      const fixture = await start({
        capabilities: { search: { ...search, ...write }, book: { ...book, ...gated }, pay, trip: three, ...differences },
        handlers: {
          search: () => (effects.push('search'), { offers: [`offer ${effects.length}`] }),
          book: ({ offer }: { offer: string[] }) => (effects.push(`book ${offer[0]}`), { id: 'b-1' }),
          pay: ({ id }: { id: string }) => (effects.push(`pay ${id}`), { paid: `paid ${id}` }),
        },
      })
      const { token } = await fixture.root({ subject: 'agent:planner' })
      const trip = async (approval_grant?: unknown, headers?: { readonly [name: string]: string }) =>
        (await fixture.invoke('trip', token, { ...oslo, ...(approval_grant !== undefined && { approval_grant }) }, headers)).body
      const grant = async (failed: Reading) =>
        (await fixture.post('/svc/approval_grants', 'bob-key', { approval_request_id: failed['failure']!['approval_request_id'], grant_type: 'one_time' })).body
      return { ...fixture, effects, token, trip, grant }
    } // prettier-ignore

    it('goes on where it stopped: no step runs twice, and each is approved for itself', async () => {
      const { trip, grant, effects, trail, token } = await begin()
      const first = await grant(await trip())
      expect(first).toMatchObject({ capability: 'trip', max_uses: 1, step: { id: 'take', capability: 'book' } })
      const second = await trip(first['grant_id'])
      expect(second['failure']?.['type']).toBe('approval_required')
      const last = await grant(second)
      expect(last['step']).toMatchObject({ id: 'pay', capability: 'pay' })
      const done = await trip(last['grant_id'])
      expect(done['result']).toEqual({ offer: ['offer 1'], booking: 'paid b-1' })
      expect(effects).toEqual(['search', 'book offer 1', 'pay b-1'])
      expect((await trip(last['grant_id']))['failure']).toMatchObject({ reason: 'consumed' })
      const [taken] = (await trail(token, '?capability=book&success=true')) ?? []
      expect(taken).toMatchObject({ approval_grant_id: first['grant_id'] })
    })

    it('asks for a grant of one use, whatever its steps allow', async () => {
      const session = { allowed_grant_types: ['session_bound'], default_grant_type: 'session_bound', expires_in_seconds: 900, max_uses: 3 } as const
      const { trip, post } = await begin({ book: { ...book, approval: { required: 'always', grant_policy: session } } })
      const asked = (await trip())['failure']!
      expect(asked['grant_policy']).toEqual({ ...session, max_uses: 1 })
      const terms = { approval_request_id: asked['approval_request_id'], session_id: 's', max_uses: 2 }
      const refused = await post('/svc/approval_grants', 'bob-key', terms)
      expect(refused.body['failure']?.['type']).toBe('grant_policy_violation')
    }) // prettier-ignore

    it('goes on once, however many continue at once', async () => {
      const { trip, grant, effects } = await begin()
      const { grant_id } = await grant(await trip())
      const replies = await Promise.all(Array.from({ length: 8 }, () => trip(grant_id)))
      expect(replies.filter((each) => each['failure']?.['type'] === 'approval_required').length).toBe(1)
      expect(replies.filter((each) => each['failure']?.['reason'] === 'consumed').length).toBe(7)
      expect(effects).toEqual(['search', 'book offer 1'])
    })

    it('shows the approver what the step would do, and to nobody what the steps before it gave', async () => {
      const { trip, token, ...fixture } = await begin()
      const id = (await trip())['failure']!['approval_request_id'] as unknown as string
      const path = `/svc/approval_requests/${id}`
      const approver = await fixture.call('GET', path, { bearer: 'bob-key' })
      expect(approver.body['step']).toMatchObject({ id: 'take', parameters: { offer: ['offer 1'] } })
      const requester = await fixture.call('GET', path, { bearer: token })
      expect(requester.body['step']).toEqual({ id: 'take', capability: 'book' })
      const lists = [
        await fixture.call('GET', '/svc/approval_requests', { bearer: 'bob-key' }),
        await fixture.call('GET', '/svc/approval_requests', { bearer: token }),
      ]
      expect(JSON.stringify([approver, requester, ...lists].map(({ body }) => body))).not.toContain('progress"')
      expect(JSON.stringify([requester.body, lists[1]!.body])).not.toContain('offer 1')
    })

    it('that is repeated while it waits runs nothing, and is told of the same request', async () => {
      const { trip, effects } = await begin()
      const asked = await trip()
      expect((await trip())['failure']).toEqual(asked['failure'])
      expect(effects).toEqual(['search'])
    })

    it('that waits for one agent waits for no other: not of the same person, and not of the same name', async () => {
      const { trip, effects, root, issued, invoke } = await begin()
      const first = (await trip())['failure']!['approval_request_id']
      const sibling = await root({ subject: 'agent:other' })
      const stranger = await issued('eve-key', { scope: ['travel.search'], subject: 'agent:planner' })
      const ids = [first]
      for (const { token } of [sibling, stranger])
        ids.push((await invoke('trip', token, oslo)).body['failure']!['approval_request_id'])
      expect(new Set(ids).size).toBe(3)
      expect(effects).toEqual(['search', 'search', 'search'])
      expect((await trip())['failure']!['approval_request_id']).toBe(first)
    })

    it('runs no step again where its request is approved between the search for a grant and the look for what waits', async () => {
      const { trip, grant, effects, service, invoke, token } = await begin()
      const asked = await trip()
      const { approvals } = service.storage
      const earlier = approvals.earlier.bind(approvals)
      vi.spyOn(approvals, 'earlier').mockImplementationOnce(async (...given) => {
        const found = await earlier(...given)
        await grant(asked)
        return found
      })
      const call = async () => (await invoke('trip', token, { ...oslo, approval: 'continue' })).body
      expect((await call())['failure']!['approval_request_id']).toEqual(asked['failure']!['approval_request_id'])
      expect(effects).toEqual(['search'])
      await call()
      expect(effects).toEqual(['search', 'book offer 1'])
    })

    it('that waits is found among others of the same capability', async () => {
      const { trip, effects, token, invoke, time } = await begin()
      const asked = await trip()
      time.now += 1
      await invoke('trip', token, { parameters: { city: 'Bergen' } })
      expect((await trip())['failure']).toEqual(asked['failure'])
      expect(effects).toEqual(['search', 'search'])
    })

    it('does not run its first steps again under the grant of the whole, while a step of it waits', async () => {
      const session = { ...policy, allowed_grant_types: ['session_bound'], default_grant_type: 'session_bound', max_uses: 3 } as const
      const { root, invoke, post, grant, effects } = await begin({ book, trip: { ...three, approval: { required: 'always', grant_policy: session } } })
      const { token } = await root({ subject: 'agent:planner', session_id: 's-1' })
      const call = async (more: object = {}) => (await invoke('trip', token, { ...oslo, ...more })).body
      const asked = (await call())['failure']!['approval_request_id']
      const { body } = await post('/svc/approval_grants', 'bob-key', { approval_request_id: asked })
      const ofWhole = { approval_grant: body['grant_id'] }
      const waits = await call(ofWhole)
      expect(waits['failure']).toMatchObject({ type: 'approval_required' })
      expect((await call(ofWhole))['failure']).toEqual(waits['failure'])
      expect((await call())['failure']!['approval_request_id']).not.toBe(asked)
      expect(effects).toEqual(['search', 'book offer 1'])
      const { grant_id } = await grant(waits)
      expect((await call({ approval_grant: grant_id }))['result']).toMatchObject({ booking: 'paid b-1' })
      expect(effects).toEqual(['search', 'book offer 1', 'pay b-1'])
    }) // prettier-ignore

    it.each(['named', 'looked for'])('goes on under a %s grant of a step that costs less than the whole', async (how) => {
      const cost = (amount: number) => ({ cost: { certainty: 'fixed', financial: { currency: 'EUR', amount } } }) as const
      const dear = { required: { when: [{ cost: { above: 1000 } }] }, grant_policy: policy } as const
      const { invoke, token, grant } = await begin({ book: { ...book, ...gated, ...cost(10) }, pay: { ...pay, ...cost(20) }, trip: { ...three, ...cost(90), approval: dear } })
      const call = async (more: object = {}) => (await invoke('trip', token, { ...oslo, ...more })).body
      const { grant_id } = await grant(await call())
      const next = await call(how === 'named' ? { approval_grant: grant_id } : { approval: 'continue' })
      expect(next['failure']).toMatchObject({ type: 'approval_required' })
      const last = await grant(next)
      expect(last['step']).toMatchObject({ id: 'pay' })
    }) // prettier-ignore

    it('takes the grant of a step for no other step, also where both are called alike', async () => {
      const [find, take] = steps as [(typeof steps)[0], (typeof steps)[0]]
      const composition = { ...three.composition!, steps: [find, take, { id: 'more', capability: 'book' }], input_mapping: { ...whole.input_mapping, more: { offer: '$.steps.find.output.offers' } }, output_mapping: {} }
      const { trip, grant, effects } = await begin({ trip: { ...three, output: output(), composition } })
      const next = await trip((await grant(await trip()))['grant_id'])
      expect(next['failure']).toMatchObject({ type: 'approval_required' })
      expect((await grant(next))['step']).toMatchObject({ id: 'more' })
      expect(effects).toEqual(['search', 'book offer 1'])
    }) // prettier-ignore

    it('hands up when to try again, where too much waits already', async () => {
      const { root, invoke } = await startFixture({
        capabilities: { search, book: { ...book, ...gated }, trip: trip() },
        handlers,
        limits: { pendingApprovalsPerRequester: 1 },
      })
      const { token } = await root()
      await invoke('trip', token, oslo)
      const reply = await invoke('trip', token, { parameters: { city: 'Bergen' } })
      expect([reply.body['failure']?.['type'], reply.headers.get('retry-after')]).toEqual(['rate_limited', '60'])
    })

    it('asks nobody where what its steps gave is too much to be kept', async () => {
      const { root, invoke, call } = await startFixture({
        capabilities: { search, book: { ...book, ...gated }, trip: trip() },
        handlers: { ...handlers, search: () => ({ offers: ['x'.repeat(2_000)] }) },
        limits: { bodyBytes: 1_500 },
      })
      const { body } = await invoke('trip', (await root()).token, oslo)
      expect(body['failure']?.['step']).toEqual({ id: 'take', capability: 'book', failure_type: 'internal_error' })
      expect((await call('GET', '/svc/approval_requests', { bearer: 'bob-key' })).body['count']).toBe(0)
    })

    it('names the scope of the whole, which goes on, not that of its step', async () => {
      const { root, invoke, grant } = await begin({ book: { ...book, ...gated, minimum_scope: ['travel.book'] } })
      const { token } = await root({ scope: ['travel.search', 'travel.book'] })
      const granted = await grant((await invoke('trip', token, oslo)).body)
      expect([granted['capability'], granted['scope']]).toEqual(['trip', ['travel.search']])
    })

    it('says what its step costs, and asks no longer than the first quote is taken, of the whole or of the step', async () => {
      const cost = { cost: { certainty: 'fixed', financial: { currency: 'EUR', amount: 7 } } } as const
      const issued = Date.parse('2026-03-01T12:00:00.000Z')
      const resolveBinding = ({ type }: { type: string }) => ({ type, issued_at: issued, price: { currency: 'EUR', amount: 7 } })
      const requestAt = async (ofWhole: string, ofStep: string) => {
        const bound = (field: string, max_age: string) => ({ requires_binding: [{ type: field, field, max_age }] })
        const dear = { ...book, inputs: [input('offer')], ...gated, ...cost, ...bound('offer', ofStep) }
        const { root, invoke, call } = await startFixture({
          capabilities: { search: { ...search, output: output('offers') }, book: dear, trip: trip({}, { ...bound('city', ofWhole), cost: { certainty: 'fixed', financial: { currency: 'EUR', amount: 90 } } }) },
          handlers: { ...handlers, search: () => ({ offers: 'q-1' }) },
          implementation: { resolveBinding } as never,
        })
        const { body } = await invoke('trip', (await root()).token, oslo)
        const id = String(body['failure']?.['approval_request_id'])
        const request = await call('GET', `/svc/approval_requests/${id}`, { bearer: 'bob-key' })
        return [request.body['checked_cost'], request.body['expires_at']]
      }
      const seven = { currency: 'EUR', amount: 7 }
      expect(await requestAt('PT5M', 'PT10M')).toEqual([seven, '2026-03-01T12:05:00.000Z'])
      expect(await requestAt('PT10M', 'PT5M')).toEqual([seven, '2026-03-01T12:05:00.000Z'])
    }) // prettier-ignore

    it.each<[string, Partial<Capability>, object, string]>([
      ['the budget', {}, {}, 'budget_exceeded'],
      ['its declared cost', { cost: { certainty: 'dynamic', financial: { currency: 'EUR', upper_bound: 60 } } }, { max_amount: 99 }, 'budget_exceeded'],
      ['the amount that the caller names', { inputs: [input('city'), input('limit', { type: 'number' })], cost: { certainty: 'dynamic', financial: { currency: 'EUR', upper_bound: 99, 'x-amount-input': 'limit' } } }, { max_amount: 99 }, 'invalid_parameters'],
    ])('that is continued spends no more than %s, what it had spent before included', async (_, differences, budget, type) => {
      const fixed = (amount: number) => ({ cost: { certainty: 'fixed', financial: { currency: 'EUR', amount } } }) as const
      const quoted = { ...book, inputs: [input('offer')], ...gated, requires_binding: [{ type: 'quote', field: 'offer' }], cost: { certainty: 'estimated', financial: { currency: 'EUR' } } } as const
      const done: string[] = []
      const { root, invoke, post } = await start({
        capabilities: { search: { ...search, ...write, ...fixed(10) }, book: quoted, pay: { ...capability({ inputs: [input('id')], output: output('paid'), ...write }), ...fixed(10) }, trip: { ...three, ...differences } },
        handlers: {
          search: async (_: object, { bindings }: HandlerContext) => ({ offers: await bindings.issue({ type: 'quote', price: { currency: 'EUR', amount: 45 } }) }),
          book: () => (done.push('book'), { id: 'b-1' }),
          pay: () => (done.push('pay'), { paid: 'p' }),
        },
      })
      const { token } = await root({ subject: 'agent:planner', budget: { currency: 'EUR', max_amount: 60, ...budget } })
      const parameters = { city: 'Oslo', ...(differences.inputs && { limit: 60 }) }
      const { approval_request_id } = (await invoke('trip', token, { parameters })).body['failure']!
      const { body } = await post('/svc/approval_grants', 'bob-key', { approval_request_id })
      expect((await invoke('trip', token, { parameters, approval_grant: body['grant_id'] })).body['failure']).toMatchObject({ type })
      expect(done).toEqual(['book'])
    }) // prettier-ignore

    it.each([
      [10, undefined],
      [9, undefined],
      [11, 'approval_required'],
    ])('N15: whose step was approved by a tier at 10 EUR goes on at %i EUR: %s', async (now, type) => {
      const price = { currency: 'EUR', amount: 10 }
      const tiered = { approval: { ...gated.approval, tiers: [{ cost_above: 5, approver_scope: 'approver:book' }] } } as const
      const quoted = { ...book, inputs: [input('offer')], ...tiered, requires_binding: [{ type: 'quote', field: 'offer', max_age: 'PT1H' }], cost: { certainty: 'estimated', financial: { currency: 'EUR' } } } as const
      const done: string[] = []
      const { root, invoke, post } = await startFixture({
        capabilities: { search: { ...search, output: output('offers') }, book: quoted, trip: trip({}, { cost: { certainty: 'fixed', financial: { currency: 'EUR', amount: 90 } } }) },
        handlers: { ...handlers, search: () => ({ offers: 'q-1' }), book: () => (done.push('book'), { id: 'b-1' }) },
        implementation: { resolveBinding: ({ type: of }: { type: string }) => ({ type: of, issued_at: Date.parse('2026-03-01T12:00:00.000Z'), price }) } as never,
      })
      const { token } = await root({ subject: 'agent:planner' })
      const { approval_request_id } = (await invoke('trip', token, oslo)).body['failure']!
      const { body } = await post('/svc/approval_grants', 'bob-key', { approval_request_id, grant_type: 'one_time' })
      price.amount = now
      const again = (await invoke('trip', token, { ...oslo, approval_grant: body['grant_id'] })).body
      expect([again['failure']?.['type'], done]).toEqual([type, type === undefined ? ['book'] : []])
    }) // prettier-ignore

    it('remembers under a key that it failed, though it only reads and may be tried again: its steps are not', async () => {
      let times = 0
      const propagate = { child_clarification: 'propagate', child_denial: 'propagate', child_approval_required: 'propagate', child_error: 'propagate' } as const
      const { root, invoke } = await start({
        capabilities: { book: { ...book, side_effect: { type: 'read' } }, trip: trip({ failure_policy: propagate }, { side_effect: { type: 'read' } }) },
        handlers: { book: (_: object, { fail }: HandlerContext) => ((times += 1), fail('service_unavailable', 'Not now.')) },
      })
      const { token } = await root()
      const keyed = () => invoke('trip', token, oslo, { 'idempotency-key': 'k' })
      const [first, again] = [await keyed(), await keyed()]
      expect([first.status, again.body, again.headers.get('idempotency-replayed'), times]).toEqual([503, first.body, 'true', 1])
    }) // prettier-ignore

    it('does not continue from steps that were changed in the store, nor under a grant for another step', async () => {
      const { trip, grant, effects, storage } = await begin()
      const granted = await grant(await trip())
      const get = storage.approvals.get
      Object.assign(storage.approvals, {
        get: async (id: string) => {
          const request = (await get(id))!
          return { ...request, progress: [{ ...request.progress![0]!, output: { offers: ['the dearest'] } }] }
        },
      })
      expect((await trip(granted['grant_id']))['failure']).toMatchObject({ reason: 'request_mismatch' })
      expect(effects).toEqual(['search'])
    })

    it('does not continue when the composition is another one by now', async () => {
      const { trip, grant, effects, service } = await begin()
      const granted = await grant(await trip())
      const { capabilities } = service as unknown as { readonly capabilities: Map<string, Capability> }
      capabilities.set('trip', { ...three, composition: { ...three.composition!, steps: [steps[1]!, steps[0]!, steps[2]!] } })
      expect((await trip(granted['grant_id']))['failure']).toMatchObject({ reason: 'request_mismatch' })
      expect(effects).toEqual(['search'])
    }) // prettier-ignore

    it('continues under the idempotency key of the first call, which keeps its own answer', async () => {
      const { trip, grant, effects } = await begin({ pay: { ...pay, approval: { ...gated.approval, required: 'handler' } } })
      const headers = { 'idempotency-key': 'k-1' }
      const asked = await trip(undefined, headers)
      const granted = await grant(asked)
      const done = await trip(granted['grant_id'], headers)
      expect(done['success']).toBe(true)
      expect(await trip(granted['grant_id'], headers)).toEqual(done)
      expect(await trip(undefined, headers)).toEqual(asked)
      expect(effects).toEqual(['search', 'book offer 1', 'pay b-1'])
    }) // prettier-ignore

    it('pays for each step once, and needs no more of the budget than what is left to pay', async () => {
      const cost = (amount: number) =>
        ({ cost: { certainty: 'fixed', financial: { currency: 'EUR', amount } } }) as const
      const { root, invoke, grant, storage } = await begin({
        search: { ...search, ...write, ...cost(40) },
        book: { ...book, ...gated, ...cost(50) },
        pay: capability({ inputs: [input('id')], output: output('paid') }),
        trip: { ...three, ...cost(90) },
      })
      const { token, token_id } = await root({
        subject: 'agent:planner',
        budget: { currency: 'EUR', max_amount: 90, mode: 'cumulative' },
      })
      const asked = (await invoke('trip', token, oslo)).body
      expect(await storage.ledger.spent(token_id)).toBe(40_00n)
      const approval_grant = (await grant(asked))['grant_id']
      expect((await invoke('trip', token, { ...oslo, approval_grant })).body).toMatchObject({
        success: true,
        cost_actual: { currency: 'EUR', amount: 50 },
      })
      expect(await storage.ledger.spent(token_id)).toBe(90_00n)
    })

    it('asks nobody where the failure of the whole would hide the request', async () => {
      const failure_policy = { ...three.composition!.failure_policy, child_approval_required: 'fail_parent' } as const
      const { trip, ...fixture } = await begin({ trip: { ...three, composition: { ...three.composition!, failure_policy } } })
      expect((await trip())['failure']).toMatchObject({ type: 'composition_child_failed', step: { failure_type: 'approval_required' } })
      expect((await fixture.call('GET', '/svc/approval_requests', { bearer: 'bob-key' })).body['count']).toBe(0)
    }) // prettier-ignore
  })

  it('streams the progress of its steps as its own', async () => {
    const fixture = await start({
      capabilities: { trip: trip({}, { response_modes: ['streaming'] }) },
      handlers: {
        search: async (_: object, { progress }: HandlerContext) => (await progress('searching'), { offers: ['x'] }),
      },
    })
    const { token } = await fixture.root()
    const response = await fixture.fetch(
      requestOf('POST', '/svc/invoke/trip', { bearer: token, body: { ...oslo, stream: true } }),
    )
    const events = (await response.text()).split('\n').filter((line) => line.startsWith('event:'))
    expect(events).toEqual(['event: progress', 'event: completed'])
  })

  it('lets a handler that wants an approval continue under the grant of the whole', async () => {
    const { root, invoke, post } = await start({
      capabilities: { book: { ...book, approval: { required: 'handler', grant_policy: policy } } },
      handlers: { book: (_: object, { approvalRequired }: HandlerContext) => (approvalRequired(), { id: 'b' }) },
    })
    const { token } = await root({ subject: 'agent:planner' })
    const approval_request_id = (await invoke('trip', token, oslo)).body['failure']?.['approval_request_id']
    const { body } = await post('/svc/approval_grants', 'bob-key', { approval_request_id, grant_type: 'one_time' })
    expect((await invoke('trip', token, { ...oslo, approval_grant: body['grant_id'] })).body['success']).toBe(true)
  })

  describe('that costs money', () => {
    const cost = (amount: number) => ({ cost: { certainty: 'fixed', financial: { currency: 'EUR', amount } } }) as const

    it('takes the shares of its steps from one checked amount', async () => {
      const capabilities = {
        search: { ...search, ...cost(10) },
        book: { ...book, ...cost(80) },
        trip: trip({}, cost(90)),
      }
      const { root, invoke } = await start({ capabilities })
      const { token, token_id } = await root({ budget: { currency: 'EUR', max_amount: 100, mode: 'cumulative' } })
      const { body } = await invoke('trip', token, oslo)
      expect(body).toMatchObject({
        success: true,
        cost_actual: { currency: 'EUR', amount: 90 },
        budget_context: { budget_spent: 90, budget_remaining: 10 },
      })
      expect(token_id).toMatch(/^tok_/u)
      expect((await invoke('trip', token, oslo)).body['failure']?.['type']).toBe('budget_exceeded')
    })

    it('is refused when the steps would cost more together than was checked', async () => {
      const capabilities = {
        search: { ...search, ...cost(10) },
        book: { ...book, ...cost(81) },
        trip: trip({}, cost(90)),
      }
      const { root, invoke } = await start({ capabilities })
      const { token } = await root({ budget: { currency: 'EUR', max_amount: 100 } })
      expect((await invoke('trip', token, oslo)).body['failure']?.['type']).toBe('budget_exceeded')
    })

    it('without a cost of its own keeps to the budget in sum', async () => {
      const capabilities = { search: { ...search, ...cost(60) }, book: { ...book, ...cost(60) } }
      const { root, invoke, storage } = await start({ capabilities })
      const { token, token_id } = await root({ budget: { currency: 'EUR', max_amount: 100, mode: 'cumulative' } })
      expect((await invoke('trip', token, oslo)).body['failure']?.['type']).toBe('budget_exceeded')
      expect(await storage.ledger.spent(token_id)).toBe(0n)
      const rich = await root({ budget: { currency: 'EUR', max_amount: 130, mode: 'cumulative' } })
      expect((await invoke('trip', rich.token, oslo)).body['cost_actual']).toEqual({ currency: 'EUR', amount: 120 })
      expect(await storage.ledger.spent(rich.token_id)).toBe(120_00n)
      expect((await invoke('trip', rich.token, oslo)).body['failure']?.['type']).toBe('budget_exceeded')
    })

    it('is financial by its steps, in discovery and on the trail', async () => {
      const guess = { cost: { certainty: 'estimated', financial: { currency: 'EUR' } } } as const
      const capabilities = { search: { ...search, ...guess }, trip: trip({}, { side_effect: { type: 'read' } }) }
      const { root, invoke, trail, call } = await start({ capabilities })
      const { token } = await root()
      await invoke('trip', token, oslo)
      expect((await trail(token, '?capability=trip'))[0]?.['event_class']).toBe('high_risk_success')
      const { body } = await call('GET', '/.well-known/svc')
      expect(body['svc_discovery']?.['capabilities']?.['trip']?.['financial']).toBe(true)
    })

    it('counts what earlier steps have spent when a later one fails', async () => {
      const capabilities = { search: { ...search, ...cost(60) }, trip: trip({}, cost(60)) }
      const book = (_: object, { fail }: HandlerContext) => fail('sold_out', 'No.')
      const { root, invoke, trail } = await start({ capabilities, handlers: { book } })
      const { token } = await root({ budget: { currency: 'EUR', max_amount: 100, mode: 'cumulative' } })
      expect((await invoke('trip', token, oslo)).body).toMatchObject({ failure: { type: 'sold_out' }, cost_actual: { currency: 'EUR', amount: 60 } })
      expect((await invoke('trip', token, oslo)).body['failure']?.['type']).toBe('budget_exceeded')
      expect((await trail(token)).filter((each) => each['capability'] === 'search').length).toBe(1)
    }) // prettier-ignore

    it.each([[cost(90)], [{}]])('costs nothing where the step that costs is skipped, with %j of its own', async (own) => {
      const { root, invoke, storage } = await start({ capabilities: { book: { ...book, ...cost(80) }, trip: trip({}, own) } })
      const { token, token_id } = await root({ budget: { currency: 'EUR', max_amount: 100, mode: 'cumulative' } })
      expect((await invoke('trip', token, { parameters: { city: 'Nowhere' } })).body).toMatchObject({ success: true, cost_actual: { currency: 'EUR', amount: 0 } })
      expect(await storage.ledger.spent(token_id)).toBe(0n)
    }) // prettier-ignore

    it('with free steps costs what it declares', async () => {
      const { root, invoke } = await start({ capabilities: { trip: trip({}, cost(90)) } })
      expect((await invoke('trip', (await root()).token, oslo)).body['cost_actual']).toEqual({ currency: 'EUR', amount: 90 })
    }) // prettier-ignore

    it('in several currencies is under no budget, before its first step', async () => {
      const effects: string[] = []
      const usd = { cost: { certainty: 'fixed', financial: { currency: 'USD', amount: 1 } } } as const
      const guess = { cost: { certainty: 'estimated', financial: { currency: 'USD' } } } as const
      for (const price of [usd, guess]) {
        const capabilities = { search: { ...search, ...cost(1) }, book: { ...book, ...price } }
        const { root, invoke } = await start({ capabilities, handlers: { search: () => (effects.push('search'), { offers: ['x'] }) } })
        const { token } = await root({ budget: { currency: 'EUR', max_amount: 100 } })
        expect((await invoke('trip', token, oslo)).body['failure']?.['type']).toBe('budget_currency_mismatch')
      }
      expect(effects).toEqual([])
    }) // prettier-ignore

    it('counts the price of an estimated step once', async () => {
      const quoted = capability({
        inputs: [input('offer')],
        output: output('id'),
        requires_binding: [{ type: 'quote', field: 'offer' }],
        cost: { certainty: 'estimated', financial: { currency: 'EUR' } },
      })
      const quote = async (_: object, { bindings }: HandlerContext) => ({ offers: await bindings.issue({ type: 'quote', price: { currency: 'EUR', amount: 50 } }) })
      const { root, invoke, storage } = await start({
        capabilities: { search: { ...search, ...cost(10) }, book: quoted },
        handlers: { search: quote, book: () => ({ id: 'b-1' }) },
      })
      const { token, token_id } = await root({ budget: { currency: 'EUR', max_amount: 100, mode: 'cumulative' } })
      expect((await invoke('trip', token, oslo)).body).toMatchObject({
        cost_actual: { currency: 'EUR', amount: 60 },
        budget_context: { budget_max: 100, cost_check_amount: 60, budget_spent: 60, budget_remaining: 40 },
      })
      const { token: poor } = await root({ budget: { currency: 'EUR', max_amount: 40 } })
      expect((await invoke('trip', poor, oslo)).body).toMatchObject({
        failure: { type: 'budget_exceeded' },
        budget_context: { budget_max: 40, budget_currency: 'EUR', cost_check_amount: 50, cost_certainty: 'estimated' },
      })
      const { token: close } = await root({ budget: { currency: 'EUR', max_amount: 55 } })
      expect((await invoke('trip', close, oslo)).body).toMatchObject({
        failure: { type: 'budget_exceeded', detail: 'The step take costs 50 EUR; the budget is 55 EUR, of which 45 EUR are left.' },
        budget_context: { budget_max: 55, cost_check_amount: 60 },
      })
      expect(await storage.ledger.spent(token_id)).toBe(60_00n)
      // What an earlier call has spent leaves no room for the estimated step, though the whole could not know its price.
      expect((await invoke('trip', (await root({ budget: { currency: 'EUR', max_amount: 100, mode: 'cumulative' } })).token, oslo)).status).toBe(200)
      const again = await root({ budget: { currency: 'EUR', max_amount: 100, mode: 'cumulative' } })
      expect([await invoke('trip', again.token, oslo), await invoke('trip', again.token, oslo)].map(({ status }) => status)).toEqual([200, 403])
      expect(await storage.ledger.spent(again.token_id)).toBe(70_00n)
    }) // prettier-ignore

    describe('quotes for itself and then orders, where the caller says the most it may cost', () => {
      const quoted = capability({
        inputs: [input('offer')],
        output: output('id'),
        requires_binding: [{ type: 'quote', field: 'offer' }],
        cost: { certainty: 'estimated', financial: { currency: 'EUR' } },
      })
      const quote = async (_: object, { bindings }: HandlerContext) => ({ offers: await bindings.issue({ type: 'quote', price: { currency: 'EUR', amount: 50 } }) })
      const bounded = trip({}, {
        inputs: [input('city'), input('limit', { type: 'number' })],
        cost: { certainty: 'dynamic', financial: { currency: 'EUR', upper_bound: 500, 'x-amount-input': 'limit' } },
      })
      const begin = async (book: Capability = quoted) => {
        const ordered: unknown[] = []
        const fixture = await start({
          capabilities: { search, book, trip: bounded },
          handlers: { search: quote, book: (given: object) => (ordered.push(given), { id: 'b-1' }) },
        })
        return { ...fixture, ordered }
      }
      const within = (limit: number) => ({ parameters: { city: 'Oslo', limit } })

      it('asks nobody to approve a step that costs more than it', async () => {
        const { root, invoke } = await begin({ ...quoted, approval: { required: 'always', grant_policy: policy } })
        const { token } = await root({ subject: 'agent:planner' })
        expect((await invoke('trip', token, within(49))).body['failure']).toMatchObject({
          type: 'invalid_parameters',
          detail: 'Not valid: limit is 49 EUR for all steps. The step take costs 50 EUR.',
        })
        expect((await invoke('trip', token, within(50))).body['failure']?.['type']).toBe('approval_required')
      })

      it('says what to do where the quote has become too old while somebody approved', async () => {
        const { root, invoke, post, time } = await begin({
          ...quoted,
          requires_binding: [{ type: 'quote', field: 'offer', max_age: 'PT10M' }],
          approval: { required: 'always', grant_policy: policy },
        })
        const { token } = await root({ subject: 'agent:planner' })
        const { approval_request_id } = (await invoke('trip', token, within(60))).body['failure']!
        time.now += 9 * 60_000
        const grant = await post('/svc/approval_grants', 'bob-key', { approval_request_id, grant_type: 'one_time' })
        time.now += 2 * 60_000
        expect((await invoke('trip', token, { ...within(60), approval_grant: grant.body['grant_id'] })).body['failure']).toMatchObject({
          type: 'binding_stale',
          detail: 'The quote that an earlier step of trip gave to book is not valid any more. Make the same call without a grant: the steps run again, and who approves is asked again.',
        })
        expect((await invoke('trip', token, within(60))).body['failure']?.['type']).toBe('approval_required')
      })

      it('orders within it, for a budget that covers what is said', async () => {
        const { root, invoke, ordered } = await begin()
        const { token } = await root({ budget: { currency: 'EUR', max_amount: 100, mode: 'cumulative' } })
        expect((await invoke('trip', token, within(60))).body).toMatchObject({
          success: true,
          cost_actual: { currency: 'EUR', amount: 50 },
          budget_context: { cost_check_amount: 60, budget_spent: 50, budget_remaining: 50 },
        })
        expect(ordered).toHaveLength(1)
      })

      it.each([['with a budget', { budget: { currency: 'EUR', max_amount: 100 } }], ['without one', {}]])('orders nothing above it, %s', async (_, constraints) => {
        const { root, invoke, ordered } = await begin()
        const { token } = await root(constraints)
        expect((await invoke('trip', token, within(40))).body['failure']).toMatchObject({
          type: 'invalid_parameters',
          detail: 'Not valid: limit is 40 EUR for all steps. The step take costs 50 EUR.',
          resolution: { action: 'check_manifest', recovery_class: 'revalidate_then_retry', requires: 'limit' },
        })
        expect(ordered).toEqual([])
      })
    }) // prettier-ignore

    it('keeps all that it held when nobody knows what a step has done', async () => {
      const { root, invoke, storage } = await start({
        capabilities: { search: { ...search, ...cost(10) }, book: { ...book, ...cost(50) } },
        handlers: { book: () => { throw new Error('no') } },
      })
      const { token, token_id } = await root({ budget: { currency: 'EUR', max_amount: 100, mode: 'cumulative' } })
      const { failure } = (await invoke('trip', token, oslo)).body
      expect([failure?.['type'], failure?.['step']?.['failure_type']]).toEqual(['composition_child_failed', 'outcome_unknown'])
      expect(await storage.ledger.spent(token_id)).toBe(60_00n)
    }) // prettier-ignore

    it('that is continued pays out of what its earlier steps have left', async () => {
      const quoted = capability({
        inputs: [input('offer')], output: output('id'), requires_binding: [{ type: 'quote', field: 'offer' }], side_effect: { type: 'write' },
        cost: { certainty: 'estimated', financial: { currency: 'EUR' } }, approval: { required: 'always', grant_policy: policy },
      })
      const quote = async (_: object, { bindings }: HandlerContext) => ({ offers: await bindings.issue({ type: 'quote', price: { currency: 'EUR', amount: 50 } }) })
      const booked: string[] = []
      const { root, invoke, post } = await start({
        capabilities: { search: { ...search, ...cost(10), side_effect: { type: 'write' } }, book: quoted },
        handlers: { search: quote, book: () => (booked.push('b'), { id: 'b-1' }) },
      })
      const tripWith = async (max_amount: number) => {
        const { token } = await root({ subject: 'agent:planner', budget: { currency: 'EUR', max_amount } })
        const approval_request_id = (await invoke('trip', token, oslo)).body['failure']!['approval_request_id']
        const grant = await post('/svc/approval_grants', 'bob-key', { approval_request_id, grant_type: 'one_time' })
        return (await invoke('trip', token, { ...oslo, approval_grant: grant.body['grant_id'] })).body
      }
      const close = await root({ subject: 'agent:planner', budget: { currency: 'EUR', max_amount: 55 } })
      expect((await invoke('trip', close.token, oslo)).body['failure']?.['type']).toBe('budget_exceeded')
      expect(booked).toEqual([])
      expect((await tripWith(60))['success']).toBe(true)
    }) // prettier-ignore
  })

  it('may take as long as one handler may, and starts no step after that', async () => {
    const started: string[] = []
    const slowly = (name: string) => async () => {
      started.push(name)
      // Each within its own limit, both together beyond that of the whole.
      await new Promise((resolve) => setTimeout(resolve, 300))
      return name === 'search' ? { offers: ['Inn'] } : { id: 'b-1' }
    }
    const again = { id: 'again', capability: 'book' }
    const { steps, input_mapping } = trip().composition!
    const { root, invoke } = await startFixture({
      limits: { handlerTimeoutMs: 500 },
      capabilities: { search, book, trip: trip({ steps: [...steps, again], input_mapping: { ...input_mapping, again: input_mapping['take']! } }) },
      handlers: { search: slowly('search'), book: slowly('book') },
    })
    const { token } = await root()
    expect((await invoke('trip', token, oslo)).body['failure']?.['type']).toBe('outcome_unknown')
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(started).toEqual(['search', 'book'])
  }) // prettier-ignore
})
