import type { TraceContext } from '../../protocol/trace-context.js'
import type { Fail } from '../definition.js'

/** How a call of a service behind this one may fail; an imported capability declares them under `x-failures`. */
export type UpstreamFailure = 'unsafe_parameter' | 'upstream_refused' | 'upstream_unavailable'

/** What of a handler's context a call upstream needs. */
export interface UpstreamContext {
  readonly signal: AbortSignal
  readonly idempotencyKey: () => string
  /** Goes on in what is called. */
  readonly trace?: TraceContext
  readonly fail: Fail<UpstreamFailure>
}

/** What a call is given, by input. */
export interface UpstreamInput {
  readonly [input: string]: unknown
}

/**
 * Nobody knows whether the service behind this one has acted: the call ends as `outcome_unknown` where it has an
 * effect.
 */
export class UpstreamUncertain extends Error {
  override readonly name = 'UpstreamUncertain'
}
