import type { TraceContext } from '../../protocol/trace-context.js'
import type { Log } from '../definition.js'

/** The members of a line that lead to the trace it belongs to (decisions, section 13). */
export function traceMembers(context: TraceContext | undefined): {
  readonly trace_id?: string
  readonly span_id?: string
} {
  if (context === undefined) return {}
  const [, trace_id = '', span_id = ''] = context.traceparent.split('-')
  return { trace_id, span_id }
}

/** A log each of whose lines names the trace; the same log where there is none. */
export function tracedLog(log: Log, context: TraceContext | undefined): Log {
  if (context === undefined) return log
  const members = traceMembers(context)
  return {
    debug: (message, fields) => log.debug(message, { ...fields, ...members }),
    info: (message, fields) => log.info(message, { ...fields, ...members }),
    warn: (message, fields) => log.warn(message, { ...fields, ...members }),
    error: (message, fields) => log.error(message, { ...fields, ...members }),
  }
}
