/** What a storage back end promises of the outbox (decisions, section 13). */
import type { DeliveryState, EventType, ListedEvent } from '../../protocol/events.js'
import type { StoredRequest } from './stored-request.js'

/** An event on its way to targets. It is stored once for each target, whoever writes it how often. */
export interface OutgoingEvent {
  readonly id: string
  readonly type: EventType
  readonly subject: string
  /** The CloudEvent, as it will be sent. */
  readonly body: string
  readonly targets: readonly string[]
}

export interface DueDelivery {
  readonly sequence: number
  readonly eventId: string
  readonly type: EventType
  readonly body: string
  /** How often it was tried before. */
  readonly attempts: number
}

export type AttemptedDelivery =
  | { readonly sequence: number; readonly ok: true }
  | { readonly sequence: number; readonly ok: false; readonly error: string; readonly againInMs: number }

export interface DeliveryFilter {
  readonly state?: DeliveryState
  readonly type?: EventType
  readonly target?: string
  /** Only those before this one, in the order of the list. */
  readonly before?: number
  readonly limit: number
}

export interface ListedDelivery extends ListedEvent {
  readonly sequence: number
}

/** Bounds of what waits for one target. */
export interface DeliveryBounds {
  readonly target: string
  readonly mostMs: number
  readonly most: number
}

export interface OutboxStore {
  /** Writes events that go with no other change. */
  add(events: readonly OutgoingEvent[]): Promise<void>
  /** Deliveries whose time has come, first come first; of each subject the first that is pending, and no other. */
  due(target: string, limit: number): Promise<readonly DueDelivery[]>
  /** Notes what became of attempts, in one transaction. */
  settle(attempts: readonly AttemptedDelivery[]): Promise<void>
  /** Makes dead letters of deliveries that are not to be sent. */
  discard(sequences: readonly number[], reason: string): Promise<void>
  /** What waits for another attempt is due at once, but for what was refused by a status from 400 to 499. */
  hasten(target: string): Promise<void>
  /** What is pending for too long, and the oldest of what is too much, become dead letters. Gives how many. */
  giveUp(bounds: DeliveryBounds): Promise<number>
  /** Newest first. */
  list(filter: DeliveryFilter): Promise<readonly ListedDelivery[]>
  /** Makes an event pending again, at one target or at all that it went to, and gives these. */
  resend(eventId: string, target: string | undefined): Promise<readonly string[]>
  /**
   * Writes an event for each request that is about to expire, or has expired within six days, where there is none yet;
   * `eventOf` makes it. Gives how many requests it looked at: where that is the limit, there may be more.
   */
  noteExpiries(type: ExpiryType, withinMs: number, limit: number, eventOf: EventOfRequest): Promise<number>
}

export type ExpiryType = 'approval.expiring' | 'approval.expired'
export type EventOfRequest = (request: StoredRequest) => OutgoingEvent
