import type { GetDestinationHandler } from '../../generated/handlers.js'
import type { GetDestinationOutput } from '../../generated/types.js'
import { CITIES } from '../timetable.js'

/** Describe the city of an airport, with its time zone and what to see there. */
export const getDestination: GetDestinationHandler = ({ airport }, { fail }): GetDestinationOutput =>
  CITIES.get(airport) ?? fail('airport_unknown', `No city is known for ${airport}.`)
