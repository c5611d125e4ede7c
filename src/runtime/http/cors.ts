import type { Service } from '../service.js'
import type { HttpRequest, HttpResponse } from './exchange.js'

/**
 * Adds the headers for pages of other origins (decisions, section 9): none, unless origins are listed. A listed one
 * is named exactly, never by `*`; credentials are headers that the page sets itself, so cookies are never allowed.
 */
export function withCors({ origins }: Service, request: HttpRequest, response: HttpResponse): HttpResponse {
  if (origins === undefined) return response
  const origin = request.header('origin')
  const allowed = origin !== null && origins.has(origin) ? ['access-control-allow-origin', origin, ...EXPOSED] : []
  return { ...response, headers: [...response.headers, 'vary', 'origin', ...allowed] }
}

const EXPOSED = [
  'access-control-expose-headers',
  'x-svc-signature, etag, retry-after, idempotency-replayed, www-authenticate',
] as const

/** The answer to a preflight of a listed origin, which bears no credential; undefined for everything else. */
export function preflight({ origins }: Service, request: HttpRequest, methods: string): HttpResponse | undefined {
  const origin = request.header('origin')
  const isPreflight = request.method === 'OPTIONS' && request.header('access-control-request-method') !== null
  if (!isPreflight || origin === null || origins?.has(origin) !== true) return undefined
  return { status: 204, headers: ['access-control-allow-methods', methods, ...ALLOWED], body: null }
}

const ALLOWED = [
  'access-control-allow-headers', 'authorization, content-type, idempotency-key, if-none-match, last-event-id, traceparent, tracestate, x-svc-version',
  'access-control-max-age', '600',
] as const // prettier-ignore
