/**
 * Spans for the SDK that the author sets up (`svc-kit/opentelemetry`, decisions, section 13). Needs the package
 * `@opentelemetry/api` beside it, and nothing else: sampling, queue and export are those of the SDK.
 *
 * @example
 * import { tracing } from 'svc-kit/opentelemetry'
 * const service = await createService({ ...options, tracing: tracing() })
 */
import {
  context,
  createTraceState,
  INVALID_SPAN_CONTEXT,
  isSpanContextValid,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Span,
  type Tracer,
} from '@opentelemetry/api'
import { statusOf } from '../../protocol/failures.js'
import type { TraceContext } from '../../protocol/trace-context.js'
import type { CallSpan, Stage, TracedCall, Tracing } from './tracing.js'

export type { Tracing } from './tracing.js'

export interface TracingOptions {
  /** Tracer; that of the registered SDK by default. */
  readonly tracer?: Tracer
}

/** Traces calls: `createService({ …, tracing: tracing() })`. */
export const tracing = ({ tracer = trace.getTracer('svc-kit') }: TracingOptions = {}): Tracing => ({
  begin: (call, caller) => callSpan(tracer, call, contextOf(caller), SpanKind.SERVER),
})

/** The caller's span, as the parent of what is done for it. */
function contextOf(caller: TraceContext | undefined): Context {
  if (caller === undefined) return ROOT_CONTEXT
  const [, traceId = '', spanId = '', flags = ''] = caller.traceparent.split('-')
  const traceState = caller.tracestate === undefined ? {} : { traceState: createTraceState(caller.tracestate) }
  const traceFlags = Number.parseInt(flags, 16)
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true, ...traceState })
}

/** The span of a call, and within it that of its stage. Where nothing records, a stage costs nothing. */
function callSpan(tracer: Tracer, call: TracedCall, parent: Context, kind: SpanKind): CallSpan {
  const span = tracer.startSpan(`execute_tool ${call.capability}`, { kind, attributes: attributesOf(call) }, parent)
  const within = trace.setSpan(parent, span)
  let current: { readonly span: Span; readonly within: Context } = { span, within }
  let ended = false
  const endStage = (): void => {
    if (current.span !== span) current.span.end()
  }
  return {
    context: () => traceContextOfSpan(current.span),
    stage: (stage: Stage) => {
      endStage()
      if (!span.isRecording()) return
      const inner = tracer.startSpan(stage, {}, within)
      current = { span: inner, within: trace.setSpan(within, inner) }
    },
    within: (run) => context.with(current.within, run),
    step: (step) => callSpan(tracer, step, current.within, SpanKind.INTERNAL),
    end: (failureType) => {
      if (ended) return
      ended = true
      endStage()
      if (failureType !== undefined) noteFailure(span, failureType)
      span.end()
    },
  }
}

/** Names of the GenAI conventions; none holds a principal, a token or a parameter. */
const attributesOf = ({ capability, invocationId }: TracedCall) => ({
  'gen_ai.operation.name': 'execute_tool',
  'gen_ai.tool.name': capability,
  'svc.invocation_id': invocationId,
})

/** A refusal is no fault of the service; a failure with a status of 500 and above is. */
function noteFailure(span: Span, failureType: string): void {
  span.setAttribute('error.type', failureType)
  if (statusOf(failureType) >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
}

function traceContextOfSpan(span: Span): TraceContext | undefined {
  const { traceId, spanId, traceFlags, traceState } = span.spanContext() ?? INVALID_SPAN_CONTEXT
  if (!isSpanContextValid({ traceId, spanId, traceFlags })) return undefined
  const traceparent = `00-${traceId}-${spanId}-${(traceFlags & 0xff).toString(16).padStart(2, '0')}`
  const tracestate = traceState?.serialize() ?? ''
  return tracestate === '' ? { traceparent } : { traceparent, tracestate }
}
