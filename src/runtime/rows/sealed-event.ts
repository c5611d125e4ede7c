import type { OutgoingEvent } from '../storage/contract.js'
import { sealedText } from './row-guard.js'
import type { RowSeal } from './row-seal.js'

export const EVENTS = 'event_deliveries'

/** Puts the MAC of an event in front of its body. */
export function sealedEvent<Event extends OutgoingEvent | undefined>(seal: RowSeal, event: Event): Event {
  if (event === undefined) return event
  return { ...event, body: sealedText(seal, EVENTS, [event.id], event.body) }
}
