import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** A booking as it is stored. */
export interface Booking {
  readonly booking_id: string
  readonly flight: string
  readonly passengers: number
  readonly price: { readonly currency: string; readonly amount: number }
  readonly state: 'booked' | 'refunded'
}

const FILE = process.env['SVC_BOOKINGS'] ?? 'data/bookings.json'

/** A file that does not read ends the start: an empty store would lose what it holds. */
const read = (): readonly Booking[] =>
  existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as readonly Booking[]) : []

const bookings = new Map<string, Booking>(read().map((booking) => [booking.booking_id, booking]))

export const findBooking = (id: string): Booking | undefined => bookings.get(id)

export function addBooking(booking: Omit<Booking, 'booking_id' | 'state'>): Booking {
  const added: Booking = { booking_id: `bkg_${randomUUID()}`, ...booking, state: 'booked' }
  return keep(added)
}

export const markRefunded = (booking: Booking): Booking => keep({ ...booking, state: 'refunded' })

function keep(booking: Booking): Booking {
  bookings.set(booking.booking_id, booking)
  mkdirSync(dirname(FILE), { recursive: true })
  writeFileSync(`${FILE}.new`, JSON.stringify([...bookings.values()], undefined, 2))
  renameSync(`${FILE}.new`, FILE)
  return booking
}
