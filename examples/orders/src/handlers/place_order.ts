import type { PlaceOrderHandler } from '../../generated/handlers.js'
import type { PlaceOrderOutput } from '../../generated/types.js'
import { placeOrder as place } from '../shop.js'

/** Place a quoted order. The runtime has found the quote genuine and fresh, and checked the budget and the approval. */
export const placeOrder: PlaceOrderHandler = ({ quote_id }, { bound, cost, fail }): PlaceOrderOutput => {
  const { price, data } = bound.quote_id
  const cents = Math.round(price.amount * 100)
  const order = place({ order_id: `order-${quote_id}`, lines: data.lines, cents })
  if (order === undefined) return fail('already_placed', `The quote ${quote_id} was ordered before.`)
  cost.report(price)
  return { order_id: order.order_id, total: { currency: 'EUR', amount: price.amount } }
}
