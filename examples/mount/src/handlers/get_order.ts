import type { GetOrderHandler } from '../../generated/handlers.js'
import { orderOf } from '../shop.js'

/** Read an order. */
export const getOrder: GetOrderHandler = ({ order_id }, { fail }) =>
  orderOf(order_id) ?? fail('order_unknown', `There is no order ${order_id}.`)
