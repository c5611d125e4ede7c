import type { OutboxStore } from '../storage/contract.js'
import { genuineRequest } from './guarded-approvals.js'
import { over } from './over.js'
import { openedText, type RowGuard } from './row-guard.js'
import { EVENTS, sealedEvent } from './sealed-event.js'

/** Events that nobody has the service sign by writing to the database (threat N31). */
export const guardedOutbox = (outbox: OutboxStore, guard: RowGuard): OutboxStore =>
  over(outbox, {
    add: (events) => outbox.add(events.map((event) => sealedEvent(guard, event))),
    due: async (target, limit) => {
      const due = (await outbox.due(target, limit)).map((each) => ({
        ...each,
        text: openedText(guard, EVENTS, [each.eventId], each.body),
      }))
      const forged = due.filter(({ text }) => text === undefined).map(({ sequence }) => sequence)
      if (forged.length > 0) await outbox.discard(forged, 'not an event of this service')
      return due.flatMap(({ text, ...each }) => (text === undefined ? [] : [{ ...each, body: text }]))
    },
    noteExpiries: (type, withinMs, limit, eventOf) =>
      outbox.noteExpiries(type, withinMs, limit, (request) => {
        const genuine = genuineRequest(guard, request)
        const event = sealedEvent(guard, eventOf(genuine ?? request))
        return genuine === undefined ? { ...event, targets: [] } : event
      }),
  })
