export { closeTicket } from './close_ticket.js'
export { listTickets } from './list_tickets.js'
