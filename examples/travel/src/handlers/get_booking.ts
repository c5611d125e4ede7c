import type { GetBookingHandler } from '../../generated/handlers.js'
import { findBooking } from '../bookings.js'

/** Read the state of one booking. */
export const getBooking: GetBookingHandler = ({ booking_id }, { fail }) => {
  const booking = findBooking(booking_id)
  if (booking === undefined) return fail('booking_unknown', `There is no booking ${booking_id}.`)
  return { ...booking, price: { ...booking.price } }
}
