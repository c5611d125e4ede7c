/** Events that a service reports to its targets (decisions, section 13). */
import type { SideEffectType } from './words.js'
import type { Money } from './money.js'

export const EVENT_TYPES = [
  'approval.requested', 'approval.decided', 'approval.withdrawn', 'approval.expiring', 'approval.expired',
  'invocation.outcome_unknown', 'token.revoked', 'budget.threshold', 'alarm.raised',
] as const // prettier-ignore
export type EventType = (typeof EVENT_TYPES)[number]

/** A CloudEvent 1.0 in JSON. An event that is delivered twice has the same `id`. */
export interface ServiceEvent {
  readonly specversion: '1.0'
  readonly id: string
  /** The service id. */
  readonly source: string
  readonly type: EventType
  /** The approval request, invocation, token or alarm. */
  readonly subject: string
  /** RFC 3339. */
  readonly time: string
  readonly datacontenttype: 'application/json'
  readonly data: EventData
}

/** Data of an event: names and identifiers; never a summary, a preview, an argument or a written reason. */
export interface EventData {
  readonly capability?: string
  readonly side_effect?: SideEffectType
  readonly requester?: { readonly subject: string; readonly root_principal: string }
  /** Checked or actual cost of the call. */
  readonly cost?: Money
  readonly approval_request_id?: string
  /** The page where a person decides, where a console is served. */
  readonly approval_url?: string
  readonly status?: string
  readonly approver?: string
  /** RFC 3339. */
  readonly expires_at?: string
  readonly invocation_id?: string
  readonly token_id?: string
  /** Of tokens that an operator ended: by what they were found, and how many they are. */
  readonly target?: { readonly [name: string]: string }
  /** Of a budget: its most, and what is spent and held of it. */
  readonly budget?: Money
  readonly spent?: Money
  readonly alarm?: string
}

export const DELIVERY_STATES = ['pending', 'delivered', 'dead'] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]

/** Delivery of one event to one target. */
export interface ListedEvent {
  readonly event_id: string
  readonly type: EventType
  readonly subject: string
  /** The name of an item of `notify`. */
  readonly target: string
  readonly state: DeliveryState
  readonly attempts: number
  /** RFC 3339. */
  readonly created_at: string
  /** Of a pending one. */
  readonly next_attempt_at?: string
  /** Time of delivery, or of giving up. */
  readonly ended_at?: string
  /** Reason of the last failed attempt: a status or a code, never the receiver's text. */
  readonly last_error?: string
}

/** GET /-/events: newest first. */
export interface EventList {
  readonly events: readonly ListedEvent[]
  readonly count: number
  readonly next_cursor?: string
}

/** POST /-/events/{id}/resend. */
export interface EventResending {
  readonly event_id: string
  /** The targets to which it is sent again. */
  readonly targets: readonly string[]
}
