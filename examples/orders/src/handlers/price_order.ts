import type { PriceOrderHandler } from '../../generated/handlers.js'
import type { PriceOrderOutput } from '../../generated/types.js'
import { priceOf } from '../shop.js'

/** Price an order of several lines, and quote that price for 15 minutes. */
export const priceOrder: PriceOrderHandler = async ({ order }, { bindings, fail }): Promise<PriceOrderOutput> => {
  const priced = priceOf(order.lines)
  if ('unknown' in priced) return fail('article_unknown', `There is no article ${priced.unknown}.`)
  const total = { currency: 'EUR', amount: priced.cents / 100 } as const
  const quote_id = await bindings.issue({ type: 'order_quote', price: total, data: order })
  return { quote_id, total }
}
