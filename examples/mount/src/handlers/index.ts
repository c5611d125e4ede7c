export { cancelOrder } from './cancel_order.js'
export { getOrder } from './get_order.js'
