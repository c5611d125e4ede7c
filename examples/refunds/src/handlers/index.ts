export { cancelRefund } from './cancel_refund.js'
export { readOrder } from './read_order.js'
export { refundOrder } from './refund_order.js'
