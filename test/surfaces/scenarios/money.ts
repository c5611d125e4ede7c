import { expect } from 'vitest'
import { failureOf, type Scenario, type Stage } from '../scenario.js'

const withBudget = async ({ another, delegate }: Stage, budget: object) => {
  const { token } = await delegate({ budget: { currency: 'EUR', ...budget } })
  return another({ token })
}

/** What a call may cost. */
export const money: readonly Scenario[] = [
  {
    name: 'a call within the budget is made, and its cost recorded',
    play: async (stage) => {
      const agent = await withBudget(stage, { max_amount: 30 })
      expect((await agent.call('pay', { what: 'x' })).shown).toEqual({ paid: 'x' })
      expect((await stage.trail())[0]).toMatchObject({
        capability: 'pay',
        cost_actual: { currency: 'EUR', amount: 30 },
      })
    },
  },
  {
    name: 'a call over the budget is refused before it has an effect',
    play: async (stage) => {
      const agent = await withBudget(stage, { max_amount: 29.99 })
      const failure = failureOf(await agent.call('pay', { what: 'x' }))
      expect([failure.type, failure.resolution.action]).toEqual(['budget_exceeded', 'request_budget_increase'])
      expect(stage.effects).toEqual([])
    },
  },
  {
    name: 'a budget for all calls is spent by them',
    play: async (stage) => {
      const agent = await withBudget(stage, { max_amount: 50, mode: 'cumulative' })
      expect((await agent.call('pay', { what: 'x' })).shown).toEqual({ paid: 'x' })
      expect(failureOf(await agent.call('pay', { what: 'y' })).type).toBe('budget_exceeded')
      expect(stage.effects).toHaveLength(1)
    },
  },
  {
    name: 'a budget in another currency is refused',
    play: async (stage) => {
      const agent = await withBudget(stage, { currency: 'USD', max_amount: 1000 })
      expect(failureOf(await agent.call('pay', { what: 'x' })).type).toBe('budget_currency_mismatch')
    },
  },
  {
    name: 'a price comes from a quote of the service',
    play: async (stage) => {
      const agent = await withBudget(stage, { max_amount: 100 })
      const { quote_id } = (await agent.call('quote', { price: 80 })).shown as unknown as { readonly quote_id: string }
      expect((await agent.call('buy', { quote_id })).shown).toEqual({ booked: 'bought' })
    },
  },
  {
    name: 'a quote over the budget is refused',
    play: async (stage) => {
      const agent = await withBudget(stage, { max_amount: 100 })
      const { quote_id } = (await agent.call('quote', { price: 101 })).shown as unknown as { readonly quote_id: string }
      expect(failureOf(await agent.call('buy', { quote_id })).type).toBe('budget_exceeded')
      expect(stage.effects).toEqual([])
    },
  },
  {
    name: 'a quote that the service never gave is refused',
    play: async ({ agent, effects }) => {
      expect(failureOf(await agent.call('buy', { quote_id: 'quo_made-up' })).type).toMatch(/^binding_/u)
      expect(effects).toEqual([])
    },
  },
  {
    name: 'a stale quote is refused, and says to take a new one',
    play: async ({ agent, later }) => {
      const { quote_id } = (await agent.call('quote', { price: 80 })).shown as unknown as { readonly quote_id: string }
      later(20 * 60_000)
      const failure = failureOf(await agent.call('buy', { quote_id }))
      expect([failure.type, failure.resolution.action]).toEqual(['binding_stale', 'refresh_binding'])
    },
  },
]
