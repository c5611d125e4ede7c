import type { ReadOrderHandler } from '../../generated/handlers.js'
import type { ReadOrderOutput } from '../../generated/types.js'
import { findOrder, refundedCents } from '../orders.js'

/** Read an order, with what was paid and what was refunded so far. */
export const readOrder: ReadOrderHandler = ({ order_id }, { fail }): ReadOrderOutput => {
  const order = findOrder(order_id)
  if (order === undefined) return fail('order_unknown', `There is no order ${order_id}.`)
  return { ...order, refunded: refundedCents(order_id) / 100 }
}
