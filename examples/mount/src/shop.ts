/** The application's own code: its routes and the capabilities call the same functions. */
export interface Order {
  readonly order_id: string
  readonly state: 'open' | 'cancelled'
}

const orders = new Map<string, Order>([['A-1', { order_id: 'A-1', state: 'open' }]])

export const orderOf = (id: string): Order | undefined => orders.get(id)

export function cancel(order: Order): Order {
  const cancelled = { ...order, state: 'cancelled' } as const
  orders.set(order.order_id, cancelled)
  return cancelled
}
