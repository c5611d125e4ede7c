import type { InvokeRequest, Lineage } from '../../protocol/invocation.js'
import type { Json } from '../../protocol/manifest.js'
import type { TraceContext } from '../../protocol/trace-context.js'
import type { CallSpan } from '../telemetry/tracing.js'
import type { Conversation } from '../endpoint/conversation.js'
import { present } from '../json/present.js'
import type { FinishedStep } from '../storage/contract.js'
import type { Token } from '../auth/token.js'
import type { GovernedFacts } from './facts/facts.js'
import type { Pool } from './reserve/pool.js'
import type { Reserved } from './reserve/reserved.js'

/** Listener of an invocation while it runs: a stream. */
export interface Listener {
  /** Takes what a stream needs for itself, or refuses. */
  reserve(): void
  /** Called once, when nothing but the handler can fail any more. */
  started(invocation: Invocation): void
  progress(data: Json): Promise<void>
}

/** One invocation: what was requested, and by whom. */
export interface Invocation {
  readonly id: string
  readonly name: string
  readonly token: Token
  readonly request: InvokeRequest
  readonly lineage: Lineage
  readonly idempotencyKey: string | undefined
  /** Trace context of its caller. */
  readonly trace: TraceContext | undefined
  /** Span of the call, if calls are traced. */
  readonly span: CallSpan | undefined
  readonly listener: Listener | undefined
  /** Conversation with the caller, where the surface can have one. */
  readonly conversation: Conversation | undefined
  /** Step of a composition, if the call is one. */
  readonly step: StepOf | undefined
}

export interface StepOf {
  readonly id: string
  readonly whole: Whole
}

/** Shared state that a composed invocation gives to its steps. */
export interface Whole {
  readonly invocation: Invocation
  readonly facts: GovernedFacts
  readonly reserved: Reserved
  /** Amount that the steps may spend together. */
  readonly pool: Pool | undefined
  /** The steps that have ended well, those of the invocation that it continues included. */
  readonly finished: readonly FinishedStep[]
}

/** Start of an invocation. */
export type NewInvocation = Pick<Invocation, 'id' | 'name' | 'token' | 'request'> &
  Partial<Pick<Invocation, 'idempotencyKey' | 'trace' | 'span' | 'listener' | 'conversation' | 'step'>>

/** All invocations have the same members in the same order: the engine then reads them without a search. */
export function begin(given: NewInvocation): Invocation {
  const { id, name, token, request, idempotencyKey, trace, span, listener, conversation, step } = given
  const lineage = lineageOf(given)
  return { id, name, token, request, lineage, idempotencyKey, trace, span, listener, conversation, step }
}

/** Returns the origin of the invocation; the token's task replaces an omitted one (section 4.6). */
const lineageOf = ({ request, token }: NewInvocation): Lineage =>
  present({
    client_reference_id: request.client_reference_id,
    task_id: request.task_id ?? token.claims.purpose.task_id,
    parent_invocation_id: request.parent_invocation_id,
    upstream_service: request.upstream_service,
  })
