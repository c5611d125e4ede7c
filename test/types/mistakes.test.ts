import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { COMPILERS, compile, copyExample, folderWithPackages, remove, type Complaint } from './project.js'

/** A user's file, the line that is wrong (from 1), what compilers call it, and what they say. */
type Mistake = readonly [name: string, text: string, line: number, code: string, says: string]

const handlers = (names: string) => `import type { ${names} } from '../generated/handlers.js'\n`
const outputs = (name: string) =>
  `${handlers(`${name}Handler`)}import type { ${name}Output } from '../generated/types.js'\n`
const CLIENT = `import { createClient } from '../generated/client.js'
const client = createClient({ baseUrl: 'https://travel.example' })
`

const MISTAKES: readonly Mistake[] = [
  ['a missing handler', `import { createService, type ServiceOptions } from '../generated/service.js'
import { bookFlight } from '../src/handlers/book_flight.js'
declare const rest: Omit<ServiceOptions, 'handlers'>
export const service: unknown = createService({
  ...rest,
  handlers: { bookFlight },
})
`, 6, 'TS2739', "missing the following properties from type 'Handlers': getBooking, getDestination, refundBooking, searchFlights"],
  ['a handler of another capability', `import type { Handlers } from '../generated/handlers.js'
import * as handlers from '../src/handlers/index.js'
export const wrong: Handlers = {
  ...handlers,
  bookFlight: handlers.searchFlights,
}
`, 5, 'TS2322', "is not assignable to type 'BookFlightHandler'"],
  ['an input that is not declared', `${handlers('GetBookingHandler')}export const getBooking: GetBookingHandler = (input, { fail }) =>
  fail('booking_unknown', input.bookingId)
`, 3, 'TS2551', "Property 'bookingId' does not exist"],
  ['a value that is not in the closed set', `${handlers('SearchFlightsHandler')}export const searchFlights: SearchFlightsHandler = ({ cabin }) => {
  if (cabin === 'first') throw new Error('none')
  return { flights: [], quote_id: null }
}
`, 3, 'TS2367', 'no overlap'],
  ['an output without a field', `${handlers('SearchFlightsHandler')}export const searchFlights: SearchFlightsHandler = () => ({ quote_id: null })
`, 2, 'TS2322', "Type '{ quote_id: null; }' is not assignable to type"],
  ['an output field of another type', `${handlers('GetDestinationHandler')}export const getDestination: GetDestinationHandler = () => ({ city: 1, time_zone: '', sights: [] })
`, 2, 'TS2322', "Type 'number' is not assignable to type 'string'"],
  ['an output field that is not declared, as drafts are written', `${outputs('GetDestination')}export const getDestination: GetDestinationHandler = async (): Promise<GetDestinationOutput> => {
  return { city: '', time_zone: '', sights: [], country: '' }
}
`, 4, 'TS2353', "'country' does not exist in type 'GetDestinationOutput'"],
  ['an output field that is not declared, given at once', `${outputs('GetDestination')}export const getDestination: GetDestinationHandler = (): GetDestinationOutput => ({ city: '', time_zone: '', sights: [], country: '' })
`, 3, 'TS2353', "'country' does not exist in type 'GetDestinationOutput'"],
  ['a failure that is not declared', `${handlers('RefundBookingHandler')}export const refundBooking: RefundBookingHandler = (_, { fail }) => fail('alredy_refunded', 'It was.')
`, 2, 'TS2345', "not assignable to parameter of type 'RefundBookingFailureType'"],
  ['quoting where nothing is quoted', `${handlers('GetBookingContext')}export const issue = (context: GetBookingContext): unknown => context.bindings
`, 2, 'TS2339', "Property 'bindings' does not exist on type 'GetBookingContext'"],
  ['a quote of another type', `${handlers('SearchFlightsContext')}export const issue = (context: SearchFlightsContext): unknown => context.bindings.issue({ type: 'hotel_quote' })
`, 2, 'TS2322', `Type '"hotel_quote"' is not assignable to type '"flight_quote"'`],
  ['progress where nothing streams', `${handlers('BookFlightContext')}export const tell = (context: BookFlightContext): unknown => context.progress
`, 2, 'TS2339', "Property 'progress' does not exist on type 'BookFlightContext'"],
  ['an approval where the manifest decides', `${handlers('BookFlightContext')}export const ask = (context: BookFlightContext): unknown => context.approvalRequired
`, 2, 'TS2339', "Property 'approvalRequired' does not exist on type 'BookFlightContext'"],
  ['a binding of another input', `${handlers('BookFlightContext')}export const price = (context: BookFlightContext): unknown => context.bound.quote
`, 2, 'TS2339', "Property 'quote' does not exist"],
  ['a preview of a capability that needs none', `import type { Previews } from '../generated/handlers.js'
export const previews: Previews = { searchFlights: () => null }
`, 2, 'TS2353', "'searchFlights' does not exist in type 'Previews'"],
  ['a call without a required input', `${CLIENT}export const call: unknown = client.bookFlight({ passengers: 1 })
`, 3, 'TS2345 TS2741', "Property 'quote_id' is missing"],
  ['a call with a value outside the closed set', `${CLIENT}export const call: unknown = client.bookFlight({ quote_id: 'q', passengers: 9 })
`, 3, 'TS2322', "Type '9' is not assignable to type"],
  ['a call with an unknown input', `${CLIENT}export const call: unknown = client.getBooking({ booking_id: 'b', passenger: 1 })
`, 3, 'TS2353', "'passenger' does not exist in type 'GetBookingParameters'"],
  ['waiting for an approval that nobody needs', `${CLIENT}export const call: unknown = client.getBooking({ booking_id: 'b' }, { approval: 'wait' })
`, 3, 'TS2353', "'approval' does not exist in type 'CallOptions'"],
  ['a result that was not looked at', `${CLIENT}const outcome = await client.getBooking({ booking_id: 'b' })
export const flight: string = outcome.result.flight
`, 4, 'TS2339', "Property 'result' does not exist"],
  ['a declared failure that is not handled', `import type { RefundBookingFailure } from '../generated/client.js'
export function advice(failure: Extract<RefundBookingFailure, { readonly data?: unknown }>): string {
  switch (failure.type) {
    case 'booking_unknown':
      return 'Look again.'
    default: {
      const unhandled: never = failure
      return unhandled
    }
  }
}
`, 7, 'TS2322', "is not assignable to type 'never'"],
] // prettier-ignore

const service = (options: string) => `import { createService, type ServiceOptions } from '../generated/service.js'
declare const rest: Omit<ServiceOptions, 'actorPolicy' | 'resolvers'>
export const service: unknown = createService({
  ...rest,
${options}})
`

/** What a manifest that resolves inputs demands beside handlers. */
const DEMANDS: readonly Mistake[] = [
  ['missing resolvers', service('  actorPolicy: () => undefined,\n'),
    3, 'TS2345 TS2379 TS2741', "Property 'resolvers' is missing"],
  ['a resolver of another name', service("  actorPolicy: () => undefined,\n  resolvers: { 'region.resolver': () => ({ unresolved: true }) },\n"),
    6, 'TS2353', "'region.resolver'' does not exist in type 'Resolvers'"],
  ['a resolver that gives bare values', service("  actorPolicy: () => undefined,\n  resolvers: { 'regions.resolver': () => 'emea' },\n"),
    6, 'TS2322', "Type 'string' is not assignable to type"],
  ['a missing actor policy', service("  resolvers: { 'regions.resolver': () => ({ unresolved: true }) },\n"),
    3, 'TS2345 TS2379 TS2741', "Property 'actorPolicy' is missing"],
  ['an actor policy that asks for more than it gets', service("  resolvers: { 'regions.resolver': () => ({ unresolved: true }) },\n  actorPolicy: ({ tenant }) => tenant,\n"),
    6, 'TS2339', "Property 'tenant' does not exist"],
  ['a bootstrap hook that names no principal', service("  resolvers: { 'regions.resolver': () => ({ unresolved: true }) },\n  actorPolicy: () => undefined,\n  authenticate: () => 'ana',\n"),
    7, 'TS2322', "Type '\"ana\"' is not assignable to type"],
] // prettier-ignore

const EXAMPLES = [
  ['travel', MISTAKES],
  ['pipeline', DEMANDS],
] as const

let folder: string

beforeAll(() => {
  folder = folderWithPackages()
  copyExample(folder, 'travel')
  copyExample(folder, 'pipeline')
  for (const [example, mistakes] of EXAMPLES) {
    mkdirSync(join(folder, example, 'mistakes'))
    mistakes.forEach(([, text], index) => writeFileSync(join(folder, example, `mistakes/${example}-${index}.ts`), text))
  }
})
afterAll(() => remove(folder))

describe.each(COMPILERS)('under %s', (compiler) => {
  let complaints: readonly Complaint[]
  beforeAll(() => {
    complaints = compile(folder, compiler, 'NodeNext', ['travel/mistakes', 'pipeline/mistakes'])
  }, 180_000)

  const cases = EXAMPLES.flatMap(([example, mistakes]) =>
    mistakes.map((mistake, index) => [mistake[0], `/${example}-${index}.ts`, mistake] as const),
  )
  it.each(cases)('%s does not compile, at its line', (_, name, [, , line, code, says]) => {
    const found = complaints.filter(({ file }) => file.endsWith(name))
    expect(found.map((each) => each.line)).toEqual([line])
    expect(code.split(' ')).toContain(found[0]?.code)
    expect(found[0]?.message).toContain(says)
  })
})
