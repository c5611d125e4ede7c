export { placeOrder } from './place_order.js'
export { priceOrder } from './price_order.js'
export { readOrder } from './read_order.js'
