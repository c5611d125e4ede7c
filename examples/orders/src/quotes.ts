import type { PriceOrder_Order } from '../generated/types.js'

/** What quotes carry, by their type. */
declare module 'svc-kit/runtime' {
  interface BindingData {
    readonly order_quote: PriceOrder_Order
  }
}
