import { describe, expect, it } from 'vitest'
import type { Capability } from '../../src/protocol/manifest.js'
import { capability, input } from './fixture/manifest.js'
import { startFixture } from './fixture/service.js'

const policy = { allowed_grant_types: ['one_time'], default_grant_type: 'one_time', expires_in_seconds: 900, max_uses: 1 } as const // prettier-ignore

async function start(currency = 'EUR', more: Partial<Capability> = {}, budget?: object) {
  const effects: unknown[] = []
  const fixture = await startFixture({
    capabilities: {
      pay: capability({
        inputs: [input('amount', { type: 'number' })],
        side_effect: { type: 'irreversible' },
        cost: { certainty: 'dynamic', financial: { currency, upper_bound: 500, 'x-amount-input': 'amount' } },
        ...more,
      }),
    },
    handlers: { pay: (given: unknown) => (effects.push(given), {}) },
  })
  const { token } = await fixture.root(budget === undefined ? {} : { budget })
  const pay = async (amount: number) => (await fixture.invoke('pay', token, { parameters: { amount } })).body
  return { pay, effects }
}

describe('an input that says what the call costs', () => {
  it.each([
    ['EUR', 500.01],
    ['EUR', 99_999],
    ['EUR', 1.005],
    ['EUR', -1],
    ['EUR', 1e-7],
    ['JPY', 1.5],
    ['BHD', 1.0005],
  ])('is refused in %s at %s, without any budget', async (currency, amount) => {
    const { pay, effects } = await start(currency)
    const places = { EUR: 2, JPY: 0, BHD: 3 }[currency]
    const detail = `Not valid: amount must be an amount from 0 to 500 ${currency}, with at most ${places} decimals.`
    expect((await pay(amount))['failure']).toMatchObject({ type: 'invalid_parameters', detail })
    expect(effects).toEqual([])
  })

  it.each([['EUR', 500], ['EUR', 0], ['EUR', 0.01], ['BHD', 1.005], ['JPY', 500]])('is taken in %s at %s', async (currency, amount) => {
    expect(await (await start(currency)).pay(amount)).toMatchObject({ success: true, cost_actual: { currency, amount } })
  }) // prettier-ignore

  it('is what a budget is compared with, below the upper bound', async () => {
    const { pay } = await start('EUR', {}, { currency: 'EUR', max_amount: 100 })
    expect(await pay(100)).toMatchObject({ success: true, budget_context: { cost_check_amount: 100 } })
    expect((await pay(100.01))['failure']?.['type']).toBe('budget_exceeded')
  })

  it('is what a cumulative budget reserves', async () => {
    const { pay } = await start('EUR', {}, { currency: 'EUR', max_amount: 100, mode: 'cumulative' })
    expect(await pay(60)).toMatchObject({ success: true })
    expect((await pay(60))['failure']?.['type']).toBe('budget_exceeded')
    expect(await pay(40)).toMatchObject({ success: true, budget_context: { budget_spent: 100, budget_remaining: 0 } })
  })

  it('is what a condition on cost compares', async () => {
    const { pay } = await start('EUR', { approval: { required: { when: [{ cost: { above: 100 } }] }, grant_policy: policy } }) // prettier-ignore
    expect(await pay(100)).toMatchObject({ success: true })
    expect((await pay(101))['failure']?.['type']).toBe('approval_required')
  })

  it('does not count where it is false', async () => {
    const cost = { certainty: 'dynamic', financial: { currency: 'EUR', upper_bound: 500, 'x-amount-input': false } } as const // prettier-ignore
    const { pay } = await start('EUR', { cost })
    expect(await pay(99_999)).toMatchObject({ success: true, cost_actual: { amount: 500 } })
  })
})
