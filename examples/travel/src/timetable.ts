/** The airline's timetable: the same route and day always give the same flights. */
export interface Flight {
  readonly flight: string
  readonly departs_at: string
  /** In EUR, for one passenger. */
  readonly fare: number
}

interface City {
  readonly city: string
  readonly time_zone: string
  readonly sights: readonly string[]
}

export const CITIES: ReadonlyMap<string, City> = new Map([
  ['LIS', { city: 'Lisbon', time_zone: 'Europe/Lisbon', sights: ['Belém Tower', 'Alfama'] }],
  ['BER', { city: 'Berlin', time_zone: 'Europe/Berlin', sights: ['Museum Island', 'Tempelhofer Feld'] }],
  ['OSL', { city: 'Oslo', time_zone: 'Europe/Oslo', sights: ['Vigeland Park', 'Opera House'] }],
])

const DEPARTURES = [
  { flight: 'SK 210', time: '06:40', fare: 129 },
  { flight: 'SK 214', time: '12:15', fare: 245.5 },
  { flight: 'SK 218', time: '18:05', fare: 389.9 },
] as const

/** Flights of a day, cheapest first; none between unknown airports. */
export function flightsOn(
  origin: string,
  destination: string,
  date: string,
  cabin: 'economy' | 'business',
): readonly Flight[] {
  if (origin === destination || !CITIES.has(origin) || !CITIES.has(destination)) return []
  const factor = cabin === 'business' ? 2 : 1
  return DEPARTURES.map(({ flight, time, fare }) => ({
    flight,
    departs_at: `${date}T${time}:00Z`,
    fare: fare * factor,
  }))
}
