import type { ReadOrderHandler } from '../../generated/handlers.js'
import type { ReadOrderOutput } from '../../generated/types.js'
import { findOrder } from '../shop.js'

/** Read a placed order. */
export const readOrder: ReadOrderHandler = ({ order_id }, { fail }): ReadOrderOutput => {
  const order = findOrder(order_id)
  if (order === undefined) return fail('order_unknown', `There is no order ${order_id}.`)
  return { order_id, lines: order.lines, total: { currency: 'EUR', amount: order.cents / 100 } }
}
