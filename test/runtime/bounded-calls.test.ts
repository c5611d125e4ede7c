/** What a call says of itself: the effects that it is made for, and a ceiling of its own (decisions, section 21). */
import { describe, expect, it } from 'vitest'
import { capability } from './fixture/manifest.js'
import { startFixture } from './fixture/service.js'

const book = capability({
  side_effect: { type: 'write' },
  business_effects: { produces: ['booking', 'invoice'], does_not_produce: ['payment'] },
  cost: { certainty: 'fixed', financial: { currency: 'EUR', amount: 100 } },
})

async function start(budget?: object) {
  let runs = 0
  const fixture = await startFixture({ capabilities: { book, search: capability() }, handlers: { book: () => (runs++, {}), search: () => ({}) } })
  const { token } = await fixture.root({ ...(budget && { budget }) })
  const call = async (member: object, name = 'book') => {
    const { status, body } = await fixture.invoke(name, token, { parameters: {}, ...member })
    const { failure, budget_context } = body as unknown as { failure?: { type: string; detail: string }; budget_context?: object }
    return { status, type: failure?.type, detail: failure?.detail, budget_context, runs }
  }
  return { ...fixture, token, call }
} // prettier-ignore

describe('requested_effects', () => {
  it.each([[['booking']], [['invoice', 'booking']], [[]], [null]])('%j are produced', async (requested_effects) => {
    const { call } = await start()
    expect(await call({ requested_effects })).toMatchObject({ status: 200, runs: 1 })
  })

  it.each([
    [['booking', 'payment'], 'book', 'book does not produce "payment". It produces booking, invoice.'],
    [['x'], 'search', 'search does not produce "x". It declares none.'],
    ['booking', 'book', 'The member requested_effects must be a list of at most 100 strings of 1 to 256 characters.'],
    [[1], 'book', 'The member requested_effects must be a list of at most 100 strings of 1 to 256 characters.'],
    [Array.from({ length: 101 }, () => 'booking'), 'book', 'The member requested_effects must be a list of at most 100 strings of 1 to 256 characters.'],
  ])('%j of %s are refused', async (requested_effects, name, detail) => {
    const { call } = await start()
    expect(await call({ requested_effects }, name)).toMatchObject({ status: 400, type: 'invalid_parameters', detail, runs: 0 })
  }) // prettier-ignore
})

describe('the budget of a call', () => {
  const EUR = (max_amount: number) => ({ currency: 'EUR', max_amount })

  it.each([
    [undefined, EUR(100), 100], [EUR(500), EUR(100), 100], [EUR(500), undefined, 500], [{ ...EUR(500), mode: 'cumulative' }, EUR(200), 200], [EUR(500), { ...EUR(200), mode: 'per_invocation' }, 200], [EUR(500), null, 500],
  ])('below %j, %j pays, and is shown', async (own, budget, shown) => {
    const { call } = await start(own)
    expect(await call({ budget })).toMatchObject({ status: 200, runs: 1, budget_context: { budget_max: shown, budget_currency: 'EUR', cost_check_amount: 100 } })
  }) // prettier-ignore

  it.each([
    [undefined, EUR(99), 403, 'budget_exceeded', 'The cost of 100 EUR exceeds the budget of 99 EUR.'],
    [EUR(500), EUR(99), 403, 'budget_exceeded', 'The cost of 100 EUR exceeds the budget of 99 EUR.'],
    [EUR(500), EUR(501), 403, 'budget_exceeded', 'The budget of the token is 500 EUR.'],
    [EUR(500), { currency: 'USD', max_amount: 1 }, 403, 'budget_currency_mismatch', 'The budget of the token is in EUR.'],
    [undefined, { currency: 'USD', max_amount: 500 }, 403, 'budget_currency_mismatch', 'The budget is in USD, the cost in EUR.'],
    [undefined, { currency: 'EUR' }, 400, 'invalid_parameters', 'The member budget.max_amount must be a non-negative amount in whole minor units of EUR.'],
    [undefined, { currency: 'EUR', max_amount: null }, 400, 'invalid_parameters', 'The member budget.max_amount must be a non-negative amount in whole minor units of EUR.'],
    [undefined, { ...EUR(500), mode: 'cumulative' }, 400, 'invalid_parameters', 'The budget of a call is of this call: leave out the member budget.mode.'],
  ])('below %j, %j is refused', async (own, budget, status, type, detail) => {
    const { call } = await start(own)
    expect(await call({ budget })).toMatchObject({ status, type, detail, runs: 0 })
  }) // prettier-ignore

  it.each([EUR(501), { currency: 'USD', max_amount: 1 }])('that is refused, %j, is not shown as a ceiling', async (budget) => {
    const { call } = await start(EUR(500))
    expect(await call({ budget })).toMatchObject({ status: 403, budget_context: { budget_max: 500, budget_currency: 'EUR' } })
  }) // prettier-ignore

  it('is no wider than that of the token where nothing costs money', async () => {
    const { call } = await start(EUR(5))
    expect(await call({ budget: EUR(6) }, 'search')).toMatchObject({ status: 403, type: 'budget_exceeded' })
    expect(await call({ budget: EUR(5) }, 'search')).toMatchObject({ status: 200 })
  })

  it('bounds the steps of a composition together', async () => {
    const trip = capability({
      kind: 'composed',
      composition: {
        authority_boundary: 'same_service',
        steps: [{ id: 'one', capability: 'book' }, { id: 'two', capability: 'book' }],
        input_mapping: {}, output_mapping: {},
        failure_policy: { child_clarification: 'propagate', child_denial: 'propagate', child_approval_required: 'propagate', child_error: 'fail_parent' },
        audit_policy: { record_child_invocations: true, parent_task_lineage: true },
      },
    })
    const { invoke, root } = await startFixture({ capabilities: { book, trip }, handlers: { book: () => ({}) } })
    const { token } = await root()
    const typeAt = async (max_amount: number) => (await invoke('trip', token, { parameters: {}, budget: EUR(max_amount) })).body['failure']?.['type']
    expect([await typeAt(199), await typeAt(200)]).toEqual(['budget_exceeded', undefined])
  }) // prettier-ignore
})
