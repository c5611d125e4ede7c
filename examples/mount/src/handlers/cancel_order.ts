import type { CancelOrderHandler } from '../../generated/handlers.js'
import { cancel, orderOf } from '../shop.js'

/** Cancel an order that is open. */
export const cancelOrder: CancelOrderHandler = ({ order_id }, { fail }) =>
  cancel(orderOf(order_id) ?? fail('order_unknown', `There is no order ${order_id}.`))
