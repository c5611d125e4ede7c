import { Hono } from 'hono'
import { operationsOf } from '../../protocol/discovery.js'
import { ENDPOINTS, type Operation } from '../../protocol/endpoints.js'
import { failure, statusOf, type Failure } from '../../protocol/failures.js'
import { disclosed, disclosureLevel } from '../disclosure.js'
import type { Call } from '../endpoints/endpoint.js'
import { endpoints } from '../endpoints/index.js'
import { PROTOCOL_VERSION } from '../../protocol/version.js'
import { refuse, Refusal } from '../refusal.js'
import type { Service } from '../service.js'
import { StorageUnavailable } from '../storage/contract.js'
import { readBody } from './body.js'
import { jsonResponse, responseOf } from './response.js'

/** Serves the service over HTTP: a request in, a response out (section 4). It never rejects. */
export function fetchHandler(service: Service): (request: Request, client?: string) => Promise<Response> {
  const app = new Hono<{ Bindings: { readonly client: string } }>()
  for (const operation of operationsOf(service.manifest)) {
    app.all(routeOf(operation), async (context) => {
      const { raw } = context.req
      const call = callOf(service, raw, context.req.param(), context.env.client)
      return respond(service, operation, raw, call)
    })
  }
  const absent = failure('not_found', 'There is no such endpoint; /.well-known/svc lists those there are.')
  app.notFound(() => refused(service, absent, {}))
  app.onError((error) => refused(service, unexpected(service, error), {}))
  return async (request, client = '') => app.fetch(request, { client })
}

/** A route takes everything after `/svc/invoke/` for a capability name, so that tricks with paths name unknown capabilities. */
const routeOf = (operation: Operation): string =>
  ENDPOINTS[operation].path.replace('{capability}', ':capability{.+}').replaceAll(/\{(\w+)\}/gu, ':$1')

async function respond(service: Service, operation: Operation, request: Request, call: Call): Promise<Response> {
  const { method } = ENDPOINTS[operation]
  if (request.method !== method) {
    const detail = `This endpoint takes ${method} only.`
    return refused(service, failure('method_not_allowed', detail), { headers: { allow: method } })
  }
  try {
    assertHost(service, request.headers)
    assertVersion(request.headers.get('x-svc-version'))
    return responseOf(await endpoints[operation](service, call), request)
  } catch (error) {
    const isInvocation = operation === 'invoke'
    const { status, retryAfter } = error instanceof Refusal ? error : {}
    const reason = error instanceof Refusal ? error.failure : unexpected(service, error)
    if (reason.type !== 'internal_error')
      service.log.info('A request was refused.', { operation, failure_type: reason.type })
    return refused(service, reason, {
      callerClass: call.caller.class,
      ...(status !== undefined && { status }),
      ...(retryAfter !== undefined && { headers: { 'retry-after': String(retryAfter) } }),
      ...(isInvocation && { members: { invocation_id: service.ids.invocation() } }),
    })
  }
}

/** Where hosts are listed, a request must be for one of them, and a page must come from one. */
function assertHost({ hosts }: Service, headers: Headers): void {
  if (hosts === undefined) return
  const origin = headers.get('origin')
  const isForeign = origin !== null && !(URL.canParse(origin) && hosts.has(new URL(origin).host))
  if (isForeign || !hosts.has(headers.get('host') ?? ''))
    refuse('insufficient_authority', 'This service is not served under this host name.')
}

/** A client may say which protocol version it speaks; a newer one than ours is refused (section 9.6). */
function assertVersion(version: string | null): void {
  if (version === null) return
  const [major, minor] = PROTOCOL_VERSION.split('.').map(Number) as [number, number]
  const match = /^(\d{1,4})\.(\d{1,4})(?:\.\d{1,4})?$/u.exec(version)
  if (match !== null && Number(match[1]) === major && Number(match[2]) <= minor) return
  refuse('unsupported_version', `This service speaks version ${PROTOCOL_VERSION}.`)
}

function callOf(service: Service, request: Request, segments: Call['segments'], client: string): Call {
  const { headers, url } = request
  const question = url.indexOf('?')
  return {
    authorization: headers.get('authorization'),
    segments,
    query: new URLSearchParams(question === -1 ? '' : url.slice(question)),
    idempotencyKey: headers.get('idempotency-key'),
    client,
    caller: {},
    body: () => readBody(request, service.limits),
  }
}

interface Refused {
  readonly callerClass?: string | undefined
  readonly status?: number
  readonly headers?: { readonly [name: string]: string }
  readonly members?: object
}

/** A failure as a response (section 7). */
function refused(
  service: Service,
  reason: Failure,
  { callerClass, status, headers = {}, members = {} }: Refused,
): Response {
  const shown = disclosed(reason, disclosureLevel(service.manifest, callerClass))
  const challenge = status === 401 || statusOf(reason.type) === 401 ? { 'www-authenticate': 'Bearer' } : {}
  const body = JSON.stringify({ success: false, ...members, failure: shown })
  // What is left of a body that is too large is not read: the connection ends with the answer.
  const ending = reason.type === 'payload_too_large' ? { connection: 'close' } : {}
  return jsonResponse(status ?? statusOf(reason.type), body, { ...challenge, ...ending, ...headers })
}

/** What nobody foresaw, without its text; the log has it. */
function unexpected(service: Service, error: unknown): Failure {
  if (error instanceof StorageUnavailable) return failure('service_unavailable', 'The store is not available.')
  service.log.error('A request failed.', {
    error: error instanceof Error ? (error.stack ?? error.message) : typeof error,
  })
  return failure('internal_error', 'The service failed. Its log has the reason.')
}
