/** Tracer that a service needs (decisions, section 13). Without one, no call loads or creates anything for it. */
import type { TraceContext } from '../../protocol/trace-context.js'

/** The parts of a call, one after another; each is a span within that of the call. */
export type Stage = 'check' | 'reserve' | 'handler' | 'record'

export interface TracedCall {
  /** The capability, or `unknown`: callers do not make up names of spans. */
  readonly capability: string
  readonly invocationId: string
}

export interface Tracing {
  /** Begins the span of a call, within the trace of its caller if there is one. */
  begin(call: TracedCall, caller: TraceContext | undefined): CallSpan
}

export interface CallSpan {
  /** Returns the trace context for outgoing calls; undefined if nothing records it and the caller named none. */
  context(): TraceContext | undefined
  /** Ends the stage before, if there is one. */
  stage(stage: Stage): void
  /** Runs within the stage: spans that others begin there belong to it. */
  within<Result>(run: () => Result): Result
  /** The span of a step. */
  step(call: TracedCall): CallSpan
  /** Ends the stage and the call; a second time does nothing. */
  end(failureType: string | undefined): void
}

/** Returns how spans name a call. */
export const tracedCallOf = (service: Declared, name: string, id: string): TracedCall => ({
  capability: service.capabilities.has(name) ? name : 'unknown',
  invocationId: id,
})

interface Declared {
  readonly capabilities: { has(name: string): boolean }
}
