/** The business, as it was before anybody thought of agents: prices and orders. */
export interface Line {
  readonly sku: string
  readonly quantity: number
}

export interface PlacedOrder {
  readonly order_id: string
  readonly lines: readonly Line[]
  readonly cents: number
}

/** Cents for one piece. */
const PRICES = new Map([
  ['TEA-100', 450],
  ['MUG-200', 1290],
  ['POT-300', 8900],
])

const orders = new Map<string, PlacedOrder>()

/** What the lines cost in cents; the article that nobody sells, where there is one. */
export function priceOf(lines: readonly Line[]): { readonly cents: number } | { readonly unknown: string } {
  let cents = 0
  for (const { sku, quantity } of lines) {
    const price = PRICES.get(sku)
    if (price === undefined) return { unknown: sku }
    cents += price * quantity
  }
  return { cents }
}

/** Keeps an order; undefined where one of this id was placed before. */
export function placeOrder(order: PlacedOrder): PlacedOrder | undefined {
  if (orders.has(order.order_id)) return undefined
  orders.set(order.order_id, order)
  return order
}

export const findOrder = (orderId: string): PlacedOrder | undefined => orders.get(orderId)
