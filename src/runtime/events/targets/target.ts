import type { EventType, ServiceEvent } from '../../../protocol/events.js'

/**
 * One item of `notify`: a place that events are sent to. Its secrets are in its functions alone, and are never printed.
 */
export interface NotifyTarget {
  /** By which the outbox knows it: keep it while events wait. */
  readonly name: string
  readonly events: readonly EventType[]
  /** Problems of the target; a service does not start with any. */
  readonly problems: readonly string[]
  /** Sends one event; resolves, whatever happens. */
  deliver(sending: Sending, signal: AbortSignal): Promise<Delivered>
}

export interface Sending {
  readonly event: ServiceEvent
  /** The event as it was written: the same bytes at each attempt. */
  readonly body: string
  /** ms since the epoch. */
  readonly now: number
}

export type Delivered =
  | { readonly ok: true }
  | {
      readonly ok: false
      /** A status or a code: never a text of the receiver, an address or a secret. */
      readonly error: string
      /** Delay that the receiver asks for. */
      readonly retryAfterMs?: number | undefined
    }

/** Options of every kind of target. */
export interface NotifyOptions {
  /** Lower-case words, as `ops` or `on-call`. */
  readonly name: string
  /** Only these. */
  readonly events?: readonly EventType[]
}

/** A target as a service keeps it: its name, its events and its problems are read once (decisions, section 20). */
export function ownTarget(given: NotifyTarget): NotifyTarget {
  const { name, events, problems } = given
  return {
    name: `${name}`,
    events: [...events],
    problems: [...problems],
    deliver: (sending, signal) => given.deliver(sending, signal),
  }
}

const NAME = /^[a-z0-9][a-z0-9-]{0,63}$/u

export const nameProblems = (name: string): readonly string[] =>
  NAME.test(name)
    ? []
    : [`The name ${JSON.stringify(name)} must be 1 to 64 lower-case letters, digits and dashes, as on-call.`]
