import type { ReadOrderHandler } from '../../generated/handlers.js'
import type { ReadOrderOutput } from '../../generated/types.js'
import { findOrder } from '../shop.js'

/** Read a placed order. */
export const readOrder: ReadOrderHandler = ({ order_id }, { fail }): ReadOrderOutput => {
  const order = findOrder(order_id)
  if (order === undefined) return fail('order_unknown', `There is no order ${order_id}.`)
  const lines = order.lines.map(({ sku, quantity }) => ({ sku, quantity }))
  return { order_id, lines, total: { currency: 'EUR', amount: order.cents / 100 } }
}
