/** W3C Trace Context: where a call stands in the trace of whoever made it (decisions, section 13). */

export interface TraceContext {
  readonly traceparent: string
  readonly tracestate?: string
}

/** Version, trace, parent, flags; later versions may have more behind. */
const TRACEPARENT =
  /^(?!ff)([0-9a-f]{2})-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-[\x21-\x7e]{1,200})?$/u
/** Trace state of vendors: printable, and as long as every party must pass on. */
const TRACESTATE = /^[\x20-\x7e]{1,512}$/u

/** Parses a caller's trace context; an invalid one is ignored, and never a reason to refuse. */
export function traceContextOf(traceparent: unknown, tracestate?: unknown): TraceContext | undefined {
  if (typeof traceparent !== 'string') return undefined
  const [, version, more] = TRACEPARENT.exec(traceparent) ?? []
  if (version === undefined || (version === '00' && more !== undefined)) return undefined
  const isKept = typeof tracestate === 'string' && TRACESTATE.test(tracestate)
  return isKept ? { traceparent, tracestate } : { traceparent }
}
