import type { TraceContext } from '../../protocol/trace-context.js'
import type { UpstreamTerms } from '../../protocol/upstream-terms.js'
import type { ContextBase, Fail } from '../definition.js'

/** How a call of a service behind this one may fail; an imported capability declares them under `x-failures`. */
export type UpstreamFailure = 'unsafe_parameter' | 'upstream_refused' | 'upstream_unavailable'

/** What is known of the capability that calls upstream. */
export type DeclaredEffect = Pick<ContextBase, 'sideEffect'>

/** Methods of operations that change nothing, unless their capability declares an effect. */
export const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'QUERY'])

/** What of a handler's context a call upstream needs. */
export interface UpstreamContext extends DeclaredEffect {
  readonly signal: AbortSignal
  readonly idempotencyKey: () => string
  /** What the manifest says of calls upstream (`x-upstream`). */
  readonly upstream?: UpstreamTerms
  /** The account of the root principal at this upstream. */
  readonly account?: ContextBase['account']
  /** Goes on in what is called. */
  readonly trace?: TraceContext
  readonly log?: ContextBase['log']
  readonly fail: Fail<UpstreamFailure>
}

/** What a call is given, by input. */
export interface UpstreamInput {
  readonly [input: string]: unknown
}

/** Whether a call changes nothing: by what the capability declares, and by the operation where that is not known. */
export const isRead = ({ sideEffect }: DeclaredEffect, byOperation: boolean): boolean =>
  sideEffect === undefined ? byOperation : sideEffect === 'read'

/**
 * Nobody knows whether the service behind this one has acted: the call ends as `outcome_unknown` where it has an
 * effect.
 */
export class UpstreamUncertain extends Error {
  override readonly name = 'UpstreamUncertain'
}
