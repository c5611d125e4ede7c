import type { CancelRefundHandler } from '../../generated/handlers.js'
import type { CancelRefundOutput } from '../../generated/types.js'
import { findRefund, removeRefund } from '../orders.js'

/** Take a refund back while its window is open. */
export const cancelRefund: CancelRefundHandler = ({ refund_id }, { fail }): CancelRefundOutput => {
  if (findRefund(refund_id) === undefined) return fail('refund_unknown', `There is no refund ${refund_id}.`)
  removeRefund(refund_id)
  return { refund_id, state: 'cancelled' }
}
