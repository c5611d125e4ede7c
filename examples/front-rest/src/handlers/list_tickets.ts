import type { Json } from 'svc-kit/runtime'
import type { ListTicketsHandler } from '../../generated/handlers.js'
import type { ListTicketsOutput } from '../../generated/types.js'
import { askDesk } from '../desk.js'

/** List the tickets of the help desk that are in a state. */
export const listTickets: ListTicketsHandler = async ({ state }, { signal, fail }): Promise<ListTicketsOutput> => {
  const answer = await askDesk('GET', `/tickets?state=${state}`, signal)
  if (answer?.ok !== true) return fail('desk_unavailable', 'The help desk did not answer.')
  return { tickets: (await answer.json()) as readonly Json[] }
}
