/** A tool call as the call of an endpoint: the surface decides nothing. */
import type { Operation } from '../../../protocol/endpoints.js'
import type { JsonObject } from '../../../protocol/manifest.js'
import type { TraceContext } from '../../../protocol/trace-context.js'
import type { Token } from '../../auth/token.js'
import { endpoints } from '../../endpoints/index.js'
import type { Conversation } from '../../endpoint/conversation.js'
import type { EndpointAnswer, Call } from '../../endpoint/endpoint.js'
import { errorResponseOf } from '../../endpoint/error-response.js'
import { eventsIn } from '../../http/server-sent-events.js'
import type { Service } from '../../service.js'
import type { GovernedAnswer } from './result.js'

export interface Request {
  readonly bearer: string
  /** The token behind it, where it was read a moment ago. */
  readonly token?: Token | undefined
  readonly segments: Call['segments']
  readonly query?: { readonly [name: string]: string }
  readonly body?: JsonObject
  readonly idempotencyKey?: string | undefined
  readonly trace?: TraceContext | undefined
  readonly conversation?: Conversation | undefined
  /** Address of the client, for limits on guessing. */
  readonly client: string
}

/** Follows a call that streams. */
export type OnProgress = (payload: unknown) => Promise<void>

/** The answer of an endpoint, or the failure that it refused with. */
export async function askService(
  service: Service,
  operation: Operation,
  request: Request,
  onProgress?: OnProgress,
): Promise<GovernedAnswer> {
  const { bearer, token, segments, query = {}, body, idempotencyKey = null, trace, client, conversation } = request
  const call: Call = {
    authorization: `Bearer ${bearer}`,
    ...(token !== undefined && { token }),
    segments,
    query: new URLSearchParams(query),
    idempotencyKey,
    trace,
    client,
    conversation,
    caller: {},
    body: async () => body,
  }
  try {
    return await answerIn(await endpoints[operation](service, call), onProgress)
  } catch (error) {
    const { body: refused, retryAfter } = errorResponseOf(service, operation, call, error)
    return withRetry(refused as object as GovernedAnswer, retryAfter)
  }
}

async function answerIn(answer: EndpointAnswer, onProgress: OnProgress | undefined): Promise<GovernedAnswer> {
  if ('events' in answer) return lastOf(answer.events, onProgress)
  if ('text' in answer) return withRetry(JSON.parse(answer.text) as GovernedAnswer, answer.retryAfter)
  if ('value' in answer) return answer.value as GovernedAnswer
  throw new TypeError('The endpoint answers with a document.')
}

const withRetry = (answer: GovernedAnswer, retryAfter: number | undefined): GovernedAnswer =>
  retryAfter === undefined ? answer : { ...answer, retry_after: retryAfter }

/** The end of a stream; on the way, its progress. */
async function lastOf(events: ReadableStream<Uint8Array>, onProgress: OnProgress | undefined): Promise<GovernedAnswer> {
  let last: GovernedAnswer | undefined
  // A client and a proxy that hear nothing for a minute would give up.
  const stillRunning = async () => onProgress?.('still running')
  for await (const { event, data } of eventsIn(events, stillRunning)) {
    const value = JSON.parse(data) as GovernedAnswer
    if (event === 'progress') await onProgress?.(value['payload'])
    else last = value
  }
  if (last === undefined) throw new TypeError('The stream ended without its last event.')
  return last
}
