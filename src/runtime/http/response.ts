import type { Failure } from '../../protocol/failures.js'
import type { Document } from '../keys/published-documents.js'
import type { EndpointAnswer } from '../endpoint/endpoint.js'
import { challengeOf } from './challenge.js'
import { compressedDocument, GZIP, takesGzip, VARIES } from './compressed.js'
import type { HttpRequest, HttpResponse } from './exchange.js'

const ALWAYS = ['x-content-type-options', 'nosniff'] as const
const JSON_CONTENT = [...ALWAYS, 'content-type', 'application/json'] as const
const UNCACHED = [...ALWAYS, 'cache-control', 'no-store'] as const
const PRIVATE = [...JSON_CONTENT, 'cache-control', 'no-store'] as const

const METRICS_CONTENT = 'text/plain; version=0.0.4; charset=utf-8'

/** Headers of a stream of events; nginx then hands on each event at once. */
const EVENTS = [...UNCACHED, 'content-type', 'text/event-stream', 'x-accel-buffering', 'no'] as const

export const eventStream = (events: ReadableStream<Uint8Array>): HttpResponse => ({
  status: 200,
  headers: EVENTS,
  body: events,
})

/** An answer as HTTP carries it. Only documents may be cached. */
export function httpResponseOf(answer: EndpointAnswer, request: HttpRequest): HttpResponse {
  if ('text' in answer) return textResponse(answer, request)
  if ('document' in answer) return documentResponse(answer.document, request)
  if ('note' in answer)
    return { status: 200, headers: [...UNCACHED, 'content-type', 'text/plain; charset=utf-8'], body: answer.note }
  if ('metrics' in answer)
    return { status: 200, headers: [...UNCACHED, 'content-type', METRICS_CONTENT], body: answer.metrics }
  if ('events' in answer) return eventStream(answer.events)
  const { status, value, maxAge } = answer
  const headers = maxAge === undefined ? PRIVATE : [...JSON_CONTENT, 'cache-control', `public, max-age=${maxAge}`]
  return { status, headers, body: JSON.stringify(value) }
}

export const jsonResponse = (status: number, body: string, ...headers: readonly string[]): HttpResponse => ({
  status,
  headers: headers.length === 0 ? PRIVATE : [...PRIVATE, ...headers],
  body,
})

const textResponse = (
  { status, text, replayed, retryAfter }: Extract<EndpointAnswer, { readonly text: string }>,
  { header }: HttpRequest,
): HttpResponse =>
  jsonResponse(
    status,
    text,
    ...(status === 401 || status === 403 ? challengeOfCall(status, typeIn(text), header('authorization')) : []),
    ...(replayed === true ? ['idempotency-replayed', 'true'] : []),
    ...(retryAfter === undefined ? [] : ['retry-after', String(retryAfter)]),
  )

/** A handler that wants a credential does not mean the one of the call, which was taken. */
const challengeOfCall = (status: number, type: string, authorization: string | null): readonly string[] =>
  challengeOf({ status, type }, type === 'authentication_required' ? null : authorization)

/** Type of the failure in an envelope. */
const typeIn = (text: string): string => (JSON.parse(text) as { readonly failure: Failure }).failure.type

/** A document, compressed for those who take it, under a tag of its own (RFC 9110, section 8.8.3.3). */
function documentResponse(document: Document, request: HttpRequest): HttpResponse {
  const { bytes, etag, maxAge, signature, isPrivate } = document
  const zipped = takesGzip(request) ? compressedDocument(bytes) : undefined
  const zippedTag = `${etag.slice(0, -1)}-gzip"`
  const headers = [
    ...JSON_CONTENT,
    'cache-control',
    isPrivate === true ? 'private, no-cache' : `public, max-age=${maxAge}`,
    ...VARIES,
    'etag',
    zipped === undefined ? etag : zippedTag,
    ...(signature === undefined ? [] : ['x-svc-signature', signature]),
  ]
  if (isKnown(request.header('if-none-match'), [etag, zippedTag])) return { status: 304, headers, body: null }
  return { status: 200, headers: zipped === undefined ? headers : [...headers, ...GZIP], body: zipped ?? bytes }
}

/** Compared weakly: a proxy that encodes a body marks its tag as weak (RFC 9110, section 13.1.2). */
function isKnown(header: string | null, tags: readonly string[]): boolean {
  const known = header?.split(/\s*,\s*/u) ?? []
  return known.some((each) => each === '*' || tags.includes(each.replace(/^W\//u, '')))
}
