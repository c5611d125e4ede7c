import type { Previews } from '../generated/handlers.js'

/** What the approver sees before a booking: the flight and its price, as the service itself quoted them. */
export const bookFlight: NonNullable<Previews['bookFlight']> = ({ passengers }, { bound }) => ({
  flight: String(bound.quote_id.data?.['flight']),
  passengers,
  price: { ...bound.quote_id.price },
})
