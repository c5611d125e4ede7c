import type { SearchFlightsHandler } from '../../generated/handlers.js'
import type { SearchFlightsOutput } from '../../generated/types.js'
import { flightsOn } from '../timetable.js'

/** Search flights between two airports on a date, and quote a price for each that holds for 15 minutes. */
export const searchFlights: SearchFlightsHandler = async (
  { origin, destination, date, cabin, passengers },
  { bindings },
): Promise<SearchFlightsOutput> => {
  const found = flightsOn(origin, destination, date, cabin)
  const flights = await Promise.all(
    found.map(async ({ flight, departs_at, fare }) => {
      const price = { currency: 'EUR', amount: fare * passengers }
      const quote_id = await bindings.issue({ type: 'flight_quote', price, data: { flight, departs_at, passengers } })
      return { flight, departs_at, price, quote_id }
    }),
  )
  return { flights, quote_id: flights[0]?.quote_id ?? null }
}
