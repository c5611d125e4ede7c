import { testService } from 'svc-kit/testing'
import { afterAll, expect, it } from 'vitest'
import { createClient } from '../generated/client.js'
import { createService } from '../generated/service.js'
import * as handlers from '../src/handlers/index.js'

const shop = await testService({ createService, createClient, handlers, now: '2030-04-01T12:00:00Z' })
afterAll(() => shop.close())

/** An agent that may spend up to 1,000 EUR in each call. */
async function agent() {
  const developer = await shop.client('developer')
  const delegation = await developer.delegate({
    subject: 'agent:assistant',
    scope: ['orders.read', 'orders.place'],
    budget: { currency: 'EUR', max_amount: 1000 },
  })
  if (!delegation.success) throw new Error(delegation.failure.detail)
  return delegation.client
}

const order = (quantity: number, sku = 'TEA-100') => ({
  order: { lines: [{ sku, quantity }], ship_to: { street: 'Rua Nova 1', city: 'Lisboa' } },
})

it('prices an order of several lines', async () => {
  const client = await agent()
  const lines = [
    { sku: 'TEA-100', quantity: 2 },
    { sku: 'MUG-200', quantity: 1 },
  ]
  expect(await client.priceOrder({ order: { ...order(1).order, lines } })).toMatchObject({
    success: true,
    result: { total: { currency: 'EUR', amount: 21.9 } },
  })
})

it('says where an order is wrong', async () => {
  const client = await agent()
  expect(await client.priceOrder(order(0))).toMatchObject({
    failure: { type: 'invalid_parameters', detail: 'Not valid: /order/lines/0/quantity must be at least 1.' },
  })
  expect(await client.priceOrder(order(1, 'HAT-900'))).toMatchObject({ failure: { type: 'article_unknown' } })
})

it('places a small order at once, and only once', async () => {
  const client = await agent()
  const quoted = await client.priceOrder(order(2))
  if (!quoted.success) throw new Error(quoted.failure.detail)
  const placed = await client.placeOrder({ quote_id: quoted.result.quote_id })
  if (!placed.success) throw new Error(placed.failure.detail)
  expect(placed.result.total).toEqual({ currency: 'EUR', amount: 9 })
  expect(await client.readOrder({ order_id: placed.result.order_id })).toMatchObject({
    result: { lines: [{ sku: 'TEA-100', quantity: 2 }] },
  })
  expect(await client.placeOrder({ quote_id: quoted.result.quote_id })).toMatchObject({
    failure: { type: 'already_placed' },
  })
})

it('waits for a person above 500 EUR', async () => {
  const client = await agent()
  const quoted = await client.priceOrder(order(6, 'POT-300'))
  if (!quoted.success) throw new Error(quoted.failure.detail)
  const { quote_id } = quoted.result
  const asked = await client.placeOrder({ quote_id })
  expect(asked).toMatchObject({ failure: { type: 'approval_required' } })
  const { grant_id } = await shop.approve(asked)
  expect(await client.placeOrder({ quote_id }, { approval_grant: grant_id })).toMatchObject({ success: true })
})

it('takes no quote of an hour ago', async () => {
  const client = await agent()
  const quoted = await client.priceOrder(order(2))
  if (!quoted.success) throw new Error(quoted.failure.detail)
  shop.clock.pass('PT1H')
  expect(await client.placeOrder({ quote_id: quoted.result.quote_id })).toMatchObject({
    failure: { type: 'binding_stale' },
  })
})
