/** The orders of a shop, and the refunds that were given. A real service keeps them in its database. */
export interface Order {
  readonly order_id: string
  readonly paid: number
}

export interface Refund {
  readonly refund_id: string
  readonly order_id: string
  readonly amount: number
}

const orders: ReadonlyMap<string, Order> = new Map(
  [
    { order_id: 'o-1', paid: 240 },
    { order_id: 'o-2', paid: 35.5 },
  ].map((order) => [order.order_id, order]),
)
const refunds = new Map<string, Refund>()

export const findOrder = (id: string): Order | undefined => orders.get(id)
export const findRefund = (id: string): Refund | undefined => refunds.get(id)

/** In cents, because sums of euros are not exact. */
export const refundedCents = (orderId: string): number =>
  [...refunds.values()]
    .filter(({ order_id }) => order_id === orderId)
    .reduce((sum, { amount }) => sum + Math.round(amount * 100), 0)

export function addRefund(id: string, order_id: string, amount: number): Refund {
  const refund = { refund_id: id, order_id, amount }
  refunds.set(id, refund)
  return refund
}

export const removeRefund = (id: string): boolean => refunds.delete(id)
