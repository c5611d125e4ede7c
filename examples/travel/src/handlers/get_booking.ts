import type { GetBookingHandler } from '../../generated/handlers.js'
import type { GetBookingOutput } from '../../generated/types.js'
import { findBooking } from '../bookings.js'

/** Read the state of one booking. */
export const getBooking: GetBookingHandler = ({ booking_id }, { fail }): GetBookingOutput => {
  const booking = findBooking(booking_id)
  if (booking === undefined) return fail('booking_unknown', `There is no booking ${booking_id}.`)
  return { ...booking, price: { ...booking.price } }
}
