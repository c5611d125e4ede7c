import { operationsOf } from '../../protocol/discovery.js'
import { ENDPOINTS, type Operation } from '../../protocol/endpoints.js'
import { failure } from '../../protocol/failures.js'
import { traceContextOf } from '../../protocol/trace-context.js'
import { queryParametersOf } from '../../protocol/query-parameters.js'
import { PROTOCOL_VERSION } from '../../protocol/version.js'
import type { Call } from '../endpoint/endpoint.js'
import { endpoints } from '../endpoints/index.js'
import { refuse } from '../errors/refusal.js'
import { refuseBusy } from '../request/bodies-in-flight.js'
import { errorResponseOf, errorResponse, type ErrorResponse } from '../endpoint/error-response.js'
import type { Service } from '../service.js'
import { bodyPoolOf, senderOf } from './body-sender.js'
import { readBody } from './body.js'
import { withCompression } from './compressed.js'
import { preflight, withCors } from './cors.js'
import type { AnswerOverHttp, HttpRequest, HttpResponse } from './exchange.js'
import { callerAddress } from './local.js'
import { assertHost, assertOrigin } from './origin.js'
import { router, type Route } from './route.js'
import { challengeOf } from './challenge.js'
import { jsonResponse, httpResponseOf } from './response.js'

/** Answers requests over HTTP (section 4), for any adapter. It never rejects. */
export function answerOverHttp(service: Service): AnswerOverHttp {
  const routeOf = router(operationsOf(service.manifest))
  const absent = failure('not_found', 'There is no such endpoint; /.well-known/svc lists those there are.')
  const answer: AnswerOverHttp = async (request) => {
    const question = request.target.indexOf('?')
    const route = routeOf(question === -1 ? request.target : request.target.slice(0, question))
    if (route === undefined) return failureResponse(errorResponse(service, absent))
    const { method } = ENDPOINTS[route.operation]
    const query = question === -1 ? '' : request.target.slice(question)
    if (request.method === method) return respond(service, request, route, query)
    if (request.method === 'HEAD' && method === 'GET') return withoutBody(await respond(service, request, route, query))
    const allow = method === 'GET' ? 'GET, HEAD' : method
    return preflight(service, request, allow) ?? wrongMethod(service, allow)
  }
  return service.origins === undefined ? answer : async (request) => withCors(service, request, await answer(request))
}

function wrongMethod(service: Service, allow: string): HttpResponse {
  const reason = failure('method_not_allowed', `This endpoint takes ${allow} only.`)
  const { status, headers, body } = failureResponse(errorResponse(service, reason))
  return { status, headers: [...headers, 'allow', allow], body }
}

/** HEAD gets the same headers and no body (RFC 9110, section 9.3.2); a stream that nobody reads is over. */
function withoutBody(response: HttpResponse): HttpResponse {
  if (response.body instanceof ReadableStream) void response.body.cancel()
  return { ...response, body: null }
}

async function respond(
  service: Service,
  request: HttpRequest,
  { operation, segments }: Route,
  query: string,
): Promise<HttpResponse> {
  const held: (() => void)[] = []
  const call = {
    ...callOf(service, request, { operation, segments }, query),
    whenLeft: (act: () => void) => void held.push(act),
  }
  const carried = (response: HttpResponse): HttpResponse => carriedFor(call, held, response)
  try {
    assertOrigin(service, request)
    if (!isProbe(operation)) assertHost(service, request)
    assertVersion(request.header('x-svc-version'))
    const read = async (): Promise<HttpResponse> => {
      if (request.isGone()) refuseBusy()
      const response = httpResponseOf(await endpoints[operation](service, call), request)
      return withCompression(operation, request, response)
    }
    const response = await (isPublicRead(operation) ? service.reads.public(request.client, read) : read())
    return carried(response)
  } catch (error) {
    return carried(failureResponse(errorResponseOf(service, operation, call, error), call.authorization))
  }
}

/** Reads of the database that need no credential: the list of checkpoints, and their proofs. */
const isPublicRead = (operation: Operation): boolean =>
  ENDPOINTS[operation].credential === 'none' && queryParametersOf(operation).length > 0

/** A response with its principal, and with the end of what it holds. */
const carriedFor = ({ caller }: Call, held: readonly (() => void)[], response: HttpResponse): HttpResponse => ({
  ...response,
  principal: caller.principal,
  ...(held.length > 0 && { left: () => held.forEach((act) => act()) }),
})

/** A platform asks for health by the address of the process, not by a name of the service. */
const isProbe = (operation: Operation): boolean => operation === 'live' || operation === 'ready'

/** A client may say which protocol version it speaks; a newer one than ours is refused (section 9.6). */
function assertVersion(version: string | null): void {
  if (version === null) return
  const [major, minor] = PROTOCOL_VERSION.split('.').map(Number) as [number, number]
  const match = /^(\d{1,4})\.(\d{1,4})(?:\.\d{1,4})?$/u.exec(version)
  if (match !== null && Number(match[1]) === major && Number(match[2]) <= minor) return
  refuse('unsupported_version', `This service speaks version ${PROTOCOL_VERSION}.`)
}

/** Endpoints read queries and never write them. */
const NO_QUERY = new URLSearchParams()

function callOf(service: Service, request: HttpRequest, { operation, segments }: Route, query: string): Call {
  const caller: Call['caller'] = {}
  return {
    authorization: request.header('authorization'),
    segments,
    query: query === '' ? NO_QUERY : new URLSearchParams(query),
    idempotencyKey: request.header('idempotency-key'),
    lastEventId: request.header('last-event-id'),
    trace: traceContextOf(request.header('traceparent'), request.header('tracestate')),
    client: callerAddress(request),
    caller,
    body: () => readBody(request, service, senderOf(bodyPoolOf(operation), caller, request.client)),
  }
}

/** A failure as an HTTP response (section 7). */
export function failureResponse(
  { status, body, retryAfter }: ErrorResponse,
  authorization: string | null = null,
): HttpResponse {
  const { type } = body.failure
  const challenge = challengeOf({ status, type }, authorization)
  // What is left of a body that is too large is not read: the connection ends with the answer.
  const ending = type === 'payload_too_large' ? ['connection', 'close'] : []
  const later = retryAfter === undefined ? [] : ['retry-after', String(retryAfter)]
  return jsonResponse(status, JSON.stringify(body), ...challenge, ...ending, ...later)
}
