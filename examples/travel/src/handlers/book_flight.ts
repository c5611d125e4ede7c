import type { BookFlightHandler } from '../../generated/handlers.js'
import type { BookFlightOutput } from '../../generated/types.js'
import { addBooking } from '../bookings.js'

/** Book a quoted flight. The runtime has found the quote genuine and fresh, checked the budget and spent the approval. */
export const bookFlight: BookFlightHandler = ({ passengers }, { bound, cost, fail }): BookFlightOutput => {
  const { price, data } = bound.quote_id
  if (data?.['passengers'] !== passengers)
    return fail('quote_mismatch', 'The quote is for another number of passengers.')
  const { booking_id, flight } = addBooking({ flight: String(data['flight']), passengers, price })
  cost.report(price)
  return { booking_id, flight, price: { ...price } }
}
