import { describe, expect, it } from 'vitest'
import { capability, declares, input } from './fixture/manifest.js'
import { startFixture } from './fixture/service.js'
import { StorageUnavailable } from '../../src/runtime/storage/contract.js'
import type { HandlerContext } from '../../src/runtime/index.js'

const binding = {
  requires_binding: [{ type: 'quote', field: 'quote_id', source_capability: 'quote', max_age: 'PT15M' }],
}
const capabilities = {
  quote: capability({ output: { type: 'quote', fields: [{ name: 'quote_id', type: 'string' }] }, inputs: [input('price', { type: 'number', required: false })] }),
  fixed: capability({ cost: { certainty: 'fixed', financial: { currency: 'EUR', amount: 280.1 } } }),
  dynamic: capability({ cost: { certainty: 'dynamic', financial: { currency: 'EUR', upper_bound: 300 } } }),
  guess: capability({ cost: { certainty: 'estimated', financial: { currency: 'EUR', range_min: 1, range_max: 9 } } }),
  book: capability({ inputs: [input('quote_id')], ...binding, cost: { certainty: 'estimated', financial: { currency: 'EUR' } } }),
  free: capability(),
} // prettier-ignore

const handlers = {
  quote: async ({ price }: { price?: number }, { bindings }: HandlerContext) => ({
    quote_id: await bindings.issue({
      type: 'quote',
      ...(price !== undefined && { price: { currency: 'EUR', amount: price } }),
    }),
  }),
}

const start = () => startFixture({ capabilities, handlers })
const EUR = (max_amount: number, mode?: string) => ({ budget: { currency: 'EUR', max_amount, ...(mode && { mode }) } })

describe('a budget', () => {
  it.each([
    ['fixed', EUR(280.1), undefined, 280.1],
    ['fixed', EUR(280.09), 'budget_exceeded', 280.1],
    ['dynamic', EUR(300), undefined, 300],
    ['dynamic', EUR(299.99), 'budget_exceeded', 300],
    ['guess', EUR(1000), 'budget_not_enforceable', undefined],
    ['fixed', { budget: { currency: 'USD', max_amount: 1000 } }, 'budget_currency_mismatch', 280.1],
  ])('for %s under %j gives %s', async (name, budget, type, amount) => {
    const { root, invoke } = await start()
    const { token } = await root(budget)
    const { body } = await invoke(name, token)
    expect(body['failure']?.['type']).toBe(type)
    expect(body['budget_context']).toEqual({
      budget_max: budget.budget.max_amount,
      budget_currency: budget.budget.currency,
      ...(amount !== undefined && { cost_check_amount: amount }),
      cost_certainty: capabilities[name as 'fixed'].cost?.certainty,
    })
    expect(body['cost_actual']).toEqual(type === undefined ? { currency: 'EUR', amount } : undefined)
  })

  it('is not looked at where nothing costs money', async () => {
    const { root, invoke } = await start()
    const { token } = await root(EUR(0))
    expect((await invoke('free', token)).body).toEqual({
      success: true,
      invocation_id: expect.any(String) as string,
      result: {},
    })
  })

  it('is held against the price that the service bound, whatever the caller says', async () => {
    const { root, invoke } = await start()
    const { token } = await root(EUR(100))
    const quote = async (price?: number) =>
      (await invoke('quote', token, { parameters: price === undefined ? {} : { price } })).body['result']?.['quote_id']
    const book = async (quote_id: unknown) => (await invoke('book', token, { parameters: { quote_id } })).body
    expect(await book(await quote(100))).toMatchObject({ success: true, cost_actual: { currency: 'EUR', amount: 100 } })
    expect((await book(await quote(100.01)))['failure']?.['type']).toBe('budget_exceeded')
    expect((await book(await quote()))['failure']?.['type']).toBe('budget_not_enforceable')
    expect((await book('bnd_forged'))['failure']?.['type']).toBe('binding_stale')
    expect((await invoke('book', token)).body['failure']?.['type']).toBe('binding_missing')
  })

  it.each(['fixed', 'estimated'] as const)('is not held in another currency than the %s cost, whatever a binding says', async (certainty) => {
    const book = { ...capabilities.book, cost: { certainty, financial: { currency: 'USD', amount: 100 } } }
    const { root, invoke } = await startFixture({ capabilities: { ...capabilities, book }, handlers })
    const { token } = await root(EUR(100))
    const quote_id = (await invoke('quote', token, { parameters: { price: 1 } })).body['result']?.['quote_id']
    const { body } = await invoke('book', token, { parameters: { quote_id } })
    expect(body['failure']?.['type']).toBe('budget_currency_mismatch')
  }) // prettier-ignore

  it('is held against the sum of all bound prices', async () => {
    const requires_binding = ['there', 'back'].map((field) => ({ type: 'quote', field, source_capability: 'quote' }))
    const both = capability({ inputs: [input('there'), input('back')], requires_binding, cost: capabilities.book.cost! })
    const { root, invoke } = await startFixture({ capabilities: { ...capabilities, both }, handlers })
    const { token } = await root(EUR(100))
    const quote = async (price: number) => (await invoke('quote', token, { parameters: { price } })).body['result']?.['quote_id']
    const go = async (there: number, back: number) => (await invoke('both', token, { parameters: { there: await quote(there), back: await quote(back) } })).body
    expect((await go(80, 20))['cost_actual']).toEqual({ currency: 'EUR', amount: 100 })
    expect((await go(80, 20.01))['failure']?.['type']).toBe('budget_exceeded')
  }) // prettier-ignore

  it('does not accept a binding that is old, foreign, or of another kind', async () => {
    const { root, issued, invoke, time, service } = await start()
    const { token } = await root(EUR(100))
    const eve = await issued('eve-key', { scope: ['travel.search'] })
    const book = async (bearer: string, quote_id: unknown) =>
      (await invoke('book', bearer, { parameters: { quote_id } })).body['failure']?.['type']
    const id = (await invoke('quote', token, { parameters: { price: 5 } })).body['result']?.['quote_id']
    expect(await book(eve.token, id)).toBe('binding_stale')
    time.now += 15 * 60_000
    expect(await book(token, id)).toBeUndefined()
    time.now += 1
    expect(await book(token, id)).toBe('binding_stale')
    await service.storage.bindings.insert({
      binding_id: 'bnd_hotel',
      type: 'hotel',
      capability: 'quote',
      root_principal: 'human:ana',
      issued_at: time.now,
    })
    expect(await book(token, 'bnd_hotel')).toBe('binding_stale')
  })
})

describe('a binding of a replica whose clock is ahead', () => {
  it.each([
    [5_000, undefined],
    [5_001, 'binding_stale'],
  ])('by %i ms gives %s', async (ahead, type) => {
    const { root, invoke, time } = await start()
    const { token } = await root()
    const quote_id = (await invoke('quote', token, { parameters: { price: 5 } })).body['result']?.['quote_id']
    time.now -= ahead
    expect((await invoke('book', token, { parameters: { quote_id } })).body['failure']?.['type']).toBe(type)
  })
})

describe('a binding that is not valid', () => {
  it('tells nobody its price: no budget was looked at', async () => {
    const { root, issued, invoke } = await start()
    const id = (await invoke('quote', (await root()).token, { parameters: { price: 55 } })).body['result']?.['quote_id']
    const eve = await issued('eve-key', { scope: ['travel.search'], ...EUR(100) })
    const { body } = await invoke('book', eve.token, { parameters: { quote_id: id } })
    expect([body['failure']?.['type'], body['budget_context']]).toEqual(['binding_stale', undefined])
  })
})

describe('a binding that was issued elsewhere', () => {
  it('counts as the hook says, and only while it is fresh', async () => {
    const issued = Date.parse('2026-03-01T11:50:00Z')
    const { root, invoke, time } = await startFixture({
      capabilities,
      implementation: {
        resolveBinding: ({ id, type }) =>
          id === 'partner-7'
            ? { binding_id: id, type, price: { currency: 'EUR', amount: 90 }, issued_at: issued }
            : undefined,
      },
    })
    const { token } = await root(EUR(100))
    const book = async (quote_id: string) => (await invoke('book', token, { parameters: { quote_id } })).body
    expect((await book('partner-7'))['cost_actual']).toEqual({ currency: 'EUR', amount: 90 })
    expect((await book('partner-8'))['failure']?.['type']).toBe('binding_stale')
    time.now += 6 * 60_000
    expect((await book('partner-7'))['failure']?.['type']).toBe('binding_stale')
  })
})

describe('a cumulative budget', () => {
  it('is a ceiling on everything spent under a token and its descendants', async () => {
    const { root, issued, invoke } = await start()
    const parent = await root({ ...EUR(500, 'cumulative'), subject: 'agent:planner' })
    const child = await issued(parent.token, {
      scope: ['travel.search'],
      subject: 'agent:worker',
      parent_token: parent.token_id,
      ...EUR(400),
    })
    expect((await invoke('fixed', child.token)).body['budget_context']).toEqual({
      budget_max: 400,
      budget_currency: 'EUR',
      cost_check_amount: 280.1,
      cost_certainty: 'fixed',
      budget_spent: 280.1,
      budget_remaining: 119.9,
    })
    const second = await invoke('fixed', parent.token)
    expect(second.body['failure']?.['type']).toBe('budget_exceeded')
    expect(second.body['budget_context']).toMatchObject({ budget_spent: 280.1, budget_remaining: 219.9 })
  })

  it('that is used up above a token tells its holder nothing of what others spent', async () => {
    const { root, issued, invoke } = await start()
    const parent = await root(EUR(500, 'cumulative'))
    const child = await issued(parent.token, { scope: ['travel.search'], subject: 'agent:worker', parent_token: parent.token_id, ...EUR(300) })
    await invoke('fixed', parent.token)
    const { body } = await invoke('fixed', child.token)
    expect(body['failure']).toMatchObject({ type: 'budget_exceeded', detail: 'The rest of the cumulative budget of a token above this one does not cover the cost.' })
    expect(body['budget_context']).toMatchObject({ budget_max: 300, budget_spent: 0, budget_remaining: 300 })
  }) // prettier-ignore

  it('that would not cover a call is said before anybody is asked to approve it', async () => {
    const grant_policy = { allowed_grant_types: ['one_time'], default_grant_type: 'one_time', expires_in_seconds: 900, max_uses: 1 } as const
    const gated = { ...capabilities.fixed, approval: { required: 'always', grant_policy } } as const
    const { root, issued, invoke, storage } = await startFixture({ capabilities: { ...capabilities, gated }, handlers })
    const parent = await root(EUR(500, 'cumulative'))
    const child = await issued(parent.token, { scope: ['travel.search'], subject: 'agent:worker', parent_token: parent.token_id, ...EUR(300) })
    await invoke('fixed', parent.token)
    expect((await invoke('gated', parent.token)).body['failure']).toMatchObject({ type: 'budget_exceeded', detail: 'Of the cumulative budget, 280.1 EUR are spent or reserved; the rest does not cover the cost.' })
    expect((await invoke('gated', child.token)).body['failure']).toMatchObject({ type: 'budget_exceeded', detail: 'The rest of the cumulative budget of a token above this one does not cover the cost.' })
    expect(await storage.approvals.list({ status: 'pending', limit: 1 })).toEqual([])
    const other = await root(EUR(500, 'cumulative'))
    expect((await invoke('gated', other.token)).body['failure']).toMatchObject({ type: 'approval_required' })
    const ample = await root(EUR(900, 'cumulative'))
    const narrow = await issued(ample.token, { scope: ['travel.search'], subject: 'agent:worker', parent_token: ample.token_id, ...EUR(300, 'cumulative') })
    await invoke('fixed', narrow.token)
    expect((await invoke('gated', narrow.token)).body['failure']).toMatchObject({ type: 'budget_exceeded', detail: 'Of the cumulative budget, 280.1 EUR are spent or reserved; the rest does not cover the cost.' })
  }) // prettier-ignore

  it('is given back when the handler fails, and settled to what it reports', async () => {
    let fails = true
    const { root, invoke, storage } = await startFixture({
      capabilities: { ...capabilities, fixed: { ...capabilities.fixed, ...declares('sold_out') } },
      handlers: {
        fixed: (_: object, { cost, fail }: HandlerContext) => {
          if (fails) return fail('sold_out', 'Nothing is left.')
          cost.report({ currency: 'EUR', amount: 300 })
          return {}
        },
      },
    })
    const { token, token_id } = await root(EUR(1000, 'cumulative'))
    expect((await invoke('fixed', token)).body).toMatchObject({
      failure: { type: 'sold_out' },
      budget_context: { cost_check_amount: 280.1, budget_spent: 0, budget_remaining: 1000 },
    })
    expect(await storage.ledger.spent(token_id)).toBe(0n)
    fails = false
    expect((await invoke('fixed', token)).body).toMatchObject({
      cost_actual: { currency: 'EUR', amount: 300 },
      budget_context: { cost_check_amount: 280.1, budget_spent: 300, budget_remaining: 700 },
    })
    expect(await storage.ledger.spent(token_id)).toBe(300_00n)
  })

  it('is not spent by a cost that nobody could check, and the trail says so, so that its counter is not taken for one set back', async () => {
    const report = (_: object, { cost }: HandlerContext) => (cost.report({ currency: 'EUR', amount: 5 }), {})
    const { root, invoke, trail, service, storage } = await startFixture({ capabilities, handlers: { free: report } })
    const { token, token_id } = await root(EUR(1000, 'cumulative'))
    expect((await invoke('free', token)).body['cost_actual']).toEqual({ currency: 'EUR', amount: 5 })
    expect((await trail(token))[0]).toMatchObject({ cost_actual: { amount: 5 }, cost_exceeded: true })
    expect([await storage.ledger.spent(token_id), await service.counters.compare()]).toEqual([0n, 0])
    const each = await root(EUR(1000))
    await invoke('free', each.token)
    expect((await trail(each.token))[0]).not.toHaveProperty('cost_exceeded')
  })

  it('gives back what the store held when it failed while it said so', async () => {
    const { root, invoke, storage } = await start()
    const { token, token_id } = await root(EUR(1000, 'cumulative'))
    const { reserve } = storage.ledger
    Object.assign(storage.ledger, {
      reserve: async (...given: Parameters<typeof reserve>) => {
        await reserve(...given)
        throw new StorageUnavailable('The connection was lost.')
      },
    })
    expect((await invoke('fixed', token)).status).toBe(503)
    expect(await storage.ledger.spent(token_id)).toBe(0n)
  })

  it('keeps what it held for a cost that the handler reports in another currency', async () => {
    const report = (_: object, { cost }: HandlerContext) => {
      cost.report({ currency: 'JPY', amount: 5 })
      return {}
    }
    const { root, invoke, storage, trail } = await startFixture({ capabilities, handlers: { fixed: report } })
    const { token, token_id } = await root(EUR(1000, 'cumulative'))
    expect((await invoke('fixed', token)).body['cost_actual']).toEqual({ currency: 'JPY', amount: 5 })
    expect(await storage.ledger.spent(token_id)).toBe(280_10n)
    expect((await trail(token))[0]).toMatchObject({ capability: 'fixed', cost_exceeded: true })
  })

  it('is settled to what the handler said last', async () => {
    const report = (_: object, { cost }: HandlerContext) => {
      for (const amount of [200, 150]) cost.report({ currency: 'EUR', amount })
      return {}
    }
    const { root, invoke, storage } = await startFixture({ capabilities, handlers: { fixed: report } })
    const { token, token_id } = await root(EUR(1000, 'cumulative'))
    expect((await invoke('fixed', token)).body['cost_actual']).toEqual({ currency: 'EUR', amount: 150 })
    expect(await storage.ledger.spent(token_id)).toBe(150_00n)
  })
})

describe.each([
  ['no budget', {}],
  ['a budget for each call', EUR(1000)],
  ['a cumulative budget', EUR(1000, 'cumulative')],
])('I17 under %s, where 280.1 EUR were checked', (_, root) => {
  it.each([
    [280, 'EUR', false],
    [280.1, 'EUR', false],
    [280.11, 'EUR', true],
    [0, 'USD', true],
    [1, 'USD', true],
    [280.1, 'USD', true],
    [28_010, 'JPY', true],
    [0.001, 'KWD', true],
  ])('a cost of %d %s is told on the trail to exceed that: %s', async (amount, currency, exceeds) => {
    const report = (__: object, { cost }: HandlerContext) => (cost.report({ currency, amount }), {})
    const fixture = await startFixture({ capabilities, handlers: { fixed: report } })
    const { token } = await fixture.root(root)
    expect((await fixture.invoke('fixed', token)).body['cost_actual']).toEqual({ currency, amount })
    expect((await fixture.trail(token))[0]!['cost_exceeded'] ?? false).toBe(exceeds)
  })
})
