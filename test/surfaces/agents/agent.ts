/** What every surface can do, in the words of an agent. */
import type { Service } from '../../../src/runtime/service.js'
import type { Tool } from '../../../src/protocol/tools.js'

/** What the caller, or the model, is shown of a call: the result, or an object with the `failure`. */
export interface Shown {
  readonly failure?: Failure
  readonly [member: string]: unknown
}

export interface Failure {
  readonly type: string
  readonly detail: string
  readonly retry: boolean
  readonly resolution: { readonly action: string; readonly recovery_class: string }
  readonly approval_request_id?: string
  readonly [member: string]: unknown
}

/** A call that ended, or a run that waits for a person. Survives as JSON, as over a restart. */
export interface Turn {
  readonly shown?: Shown
  /** The framework stopped by its own mechanism. */
  readonly paused?: true
  /** All that is needed to go on, in another process. */
  readonly state: unknown
}

export interface CallOptions {
  /** The id that the model gave its call. */
  readonly id?: string
  readonly task?: string
}

export interface Agent {
  /** The capabilities that the agent is shown. */
  readonly list: () => Promise<readonly string[]>
  readonly call: (capability: string, input: object, options?: CallOptions) => Promise<Turn>
  /** Goes on with what waits, by nothing but its state: with a new client, and in new tools. */
  readonly resume: (state: unknown, yes: boolean) => Promise<Turn>
}

/** Where an agent finds its service, and what it knows of it. */
export interface Place {
  readonly url: string
  readonly token: string
  readonly tools: readonly Tool[]
  readonly approval?: 'pause' | 'wait'
  /** Limits of the client. */
  readonly limits?: { readonly retries?: number; readonly timeoutMs?: number; readonly maxAnswerBytes?: number }
}

/** Surfaces without an address take the service itself. */
export type Connect = (place: Place, service: Service) => Promise<Agent>

export const toolNameOf = (capability: string): string => capability.replaceAll('.', '__')
export const capabilityOf = (name: string): string => name.replaceAll('__', '.')
