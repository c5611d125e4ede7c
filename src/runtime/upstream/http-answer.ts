import { failure, type FailureType } from '../../protocol/failures.js'
import type { Json, JsonObject } from '../../protocol/manifest.js'
import { FailedByHandler } from '../errors/refusal.js'
import { answeredUpstream } from '../json/answered-upstream.js'
import { bodyAtMost } from '../net/read-at-most.js'
import { secondsToWait } from '../net/retry-after.js'
import { isRead, READS, UpstreamUncertain, type UpstreamContext } from './context.js'
import type { HttpOperation, HttpOutput } from './operation.js'
import { readAnswer } from './read-answer.js'

const changesNothing = ({ method }: HttpOperation, context: UpstreamContext): boolean =>
  isRead(context, READS.has(method))

/**
 * The service behind has not answered, or not with an answer: refused where nothing can have happened, else uncertain
 * (decisions, section 11).
 */
export function endUnanswered(
  operation: HttpOperation,
  context: UpstreamContext,
  why: string,
  isCertain = false,
): never {
  if (isCertain || changesNothing(operation, context)) return context.fail('upstream_unavailable', why)
  throw new UpstreamUncertain(`${why} Whether it acted is unknown.`)
}

/** The result of an answer. Of a refusal only the status is passed on: its text may hold anything. */
export async function outputOfAnswer(
  name: string,
  operation: HttpOperation,
  response: Response,
  mostBytes: number,
  context: UpstreamContext,
): Promise<JsonObject> {
  if (!response.ok) return endRefused(name, operation, response, context)
  const bytes = await bodyAtMost(response, mostBytes).catch(() =>
    endUnanswered(operation, context, `${name} broke off.`),
  )
  if (bytes === undefined) return endUnanswered(operation, context, `${name} answered more than ${mostBytes} bytes.`)
  const read = readAnswer(operation, response, bytes)
  if (read.content === 'other') return endOther(name, operation, context, read.why, bytes)
  const isRead = changesNothing(operation, context)
  if (isRead && read.deviation !== undefined) return endOther(name, operation, context, read.deviation.got, bytes)
  const result = outputOf(operation.output, response, read.value)
  return answeredUpstream(result, {
    isRead,
    isEmpty: read.value === undefined && !isStatus(operation),
    isStrict: context.upstream?.answers === 'strict',
    isWhole: 'as' in operation.output,
    deviations: read.deviation === undefined ? [] : [read.deviation],
    judged: read.judged === read.value ? result : outputOf(operation.output, response, read.judged),
  })
}

const isStatus = ({ output }: HttpOperation): boolean => 'as' in output && output.as === 'status'

/** An answer of another kind than described: a read has none, and of a change nobody knows whether it happened. */
function endOther(
  name: string,
  operation: HttpOperation,
  context: UpstreamContext,
  why: string,
  bytes: Uint8Array,
): never {
  const start = Buffer.from(bytes.subarray(0, 200)).toString('utf8')
  context.log?.warn(`${name} answered otherwise than described, with ${why}.`, { answer: start })
  if (changesNothing(operation, context))
    throw failed('upstream_answer_invalid', `${name} answered with ${why}, which is not what it describes.`)
  throw new UpstreamUncertain(`${name} answered with ${why}. Whether it acted is unknown.`)
}

function endRefused(name: string, operation: HttpOperation, response: Response, context: UpstreamContext): never {
  const { status } = response
  void response.body?.cancel().catch(() => undefined)
  const wait = secondsToWait(response.headers.get('retry-after'), response.headers.get('date'))
  if (status === 429) throw failed('rate_limited', `${name} takes no more calls for now.`, wait ?? 30)
  if (status === 503 && wait !== undefined)
    throw failed('service_unavailable', `${name} is not available for now.`, wait)
  if (status === 401 || status === 403 || status === 407)
    return context.fail('upstream_unavailable', `${name} refused this service's own credential (${status}).`, {
      status,
    })
  if (status >= 400 && status < 500 && status !== 408)
    return context.fail('upstream_refused', `${name} refused the call (${status}).`, { status })
  if (status < 400)
    return endLedElsewhere(operation, context, status, `${name} led elsewhere (${status}), which is not followed.`)
  return endUnanswered(operation, context, `${name} failed (${status}).`)
}

/** A failure of the interface: nothing was done, as by `context.fail`. */
const failed = (type: FailureType, detail: string, retryAfter?: number): FailedByHandler =>
  new FailedByHandler(failure(type, detail), retryAfter === undefined ? {} : { retryAfter })

/** 303 See Other is how a POST that was carried out is often answered, so what led elsewhere may have acted. */
function endLedElsewhere(operation: HttpOperation, context: UpstreamContext, status: number, why: string): never {
  if (changesNothing(operation, context)) return context.fail('upstream_unavailable', why, { status })
  return endUnanswered(operation, context, why)
}

function outputOf(output: HttpOutput, response: Response, content: Json | undefined): { [field: string]: Json } {
  if ('as' in output) {
    const location = response.headers.get('location')
    if (output.as === 'status') return { status: response.status, ...(output.location && { location }) }
    return content === undefined ? {} : { [output.as]: content }
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) return {}
  const members = content as JsonObject
  return Object.fromEntries(
    output.members.map((field) => {
      const name = output.renamed?.[field] ?? field
      return [field, Object.hasOwn(members, name) ? members[name]! : null]
    }),
  )
}
