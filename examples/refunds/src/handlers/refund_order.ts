import type { RefundOrderHandler } from '../../generated/handlers.js'
import type { RefundOrderOutput } from '../../generated/types.js'
import { addRefund, findOrder, refundedCents } from '../orders.js'

/** Refund part of an order. The invocation's id names the refund, so that both can be found from each other. */
export const refundOrder: RefundOrderHandler = (
  { order_id, amount },
  { invocation, cost, fail },
): RefundOrderOutput => {
  const order = findOrder(order_id)
  if (order === undefined) return fail('order_unknown', `There is no order ${order_id}.`)
  const left = Math.round(order.paid * 100) - refundedCents(order_id)
  if (amount <= 0 || Math.round(amount * 100) > left)
    return fail('too_much', `At most ${left / 100} EUR can be refunded.`)
  cost.report({ currency: 'EUR', amount })
  return { ...addRefund(`r-${invocation.invocation_id}`, order_id, amount) }
}
