import type { CloseTicketHandler } from '../../generated/handlers.js'
import type { CloseTicketOutput } from '../../generated/types.js'
import { askDesk, segmentOf } from '../desk.js'

/** Close a ticket of the help desk with an answer to who asked. */
export const closeTicket: CloseTicketHandler = async (
  { ticket_id, answer },
  { signal, fail },
): Promise<CloseTicketOutput> => {
  const ticket = segmentOf(ticket_id)
  if (ticket === undefined) return fail('ticket_unknown', `There is no ticket ${ticket_id}.`)
  const closed = await askDesk('POST', `/tickets/${ticket}/close`, signal, { answer })
  if (closed?.status === 404) return fail('ticket_unknown', `There is no ticket ${ticket_id}.`)
  if (closed?.ok !== true) return fail('desk_unavailable', 'The help desk did not answer.')
  return { ticket_id, state: 'closed' }
}
