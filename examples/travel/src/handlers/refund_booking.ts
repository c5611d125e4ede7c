import type { RefundBookingHandler } from '../../generated/handlers.js'
import type { RefundBookingOutput } from '../../generated/types.js'
import { findBooking, markRefunded } from '../bookings.js'

/** Cancel a booking within its rollback window and refund its full price. */
export const refundBooking: RefundBookingHandler = ({ booking_id }, { fail }): RefundBookingOutput => {
  const booking = findBooking(booking_id)
  if (booking === undefined) return fail('booking_unknown', `There is no booking ${booking_id}.`)
  if (booking.state === 'refunded') return fail('already_refunded', `${booking_id} was refunded before.`)
  markRefunded(booking)
  return { booking_id, refunded: { ...booking.price } }
}
