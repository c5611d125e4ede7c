import type { Answer } from '../endpoints/endpoint.js'
import type { Document } from '../documents.js'

const ALWAYS = { 'x-content-type-options': 'nosniff' } as const
const PRIVATE = { ...ALWAYS, 'content-type': 'application/json', 'cache-control': 'no-store' } as const

/** An answer as an HTTP response. Only documents may be cached. */
export function responseOf(answer: Answer, request: Request): Response {
  if ('document' in answer) return documentResponse(answer.document, request)
  if ('note' in answer)
    return new Response(answer.note, { headers: { ...PRIVATE, 'content-type': 'text/plain; charset=utf-8' } })
  if ('events' in answer)
    return new Response(answer.events, { headers: { ...PRIVATE, 'content-type': 'text/event-stream' } })
  if ('value' in answer)
    return new Response(JSON.stringify(answer.value), { status: answer.status, headers: cacheable(answer.maxAge) })
  const { status, text, replayed, retryAfter } = answer
  return jsonResponse(status, text, {
    ...(replayed && { 'idempotency-replayed': 'true' }),
    ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
  })
}

export const jsonResponse = (
  status: number,
  text: string,
  headers: { readonly [name: string]: string } = {},
): Response => new Response(text, { status, headers: { ...PRIVATE, ...headers } })

const cacheable = (maxAge: number | undefined) =>
  maxAge === undefined ? PRIVATE : { ...PRIVATE, 'cache-control': `public, max-age=${maxAge}` }

function documentResponse({ bytes, etag, maxAge, signature }: Document, request: Request): Response {
  const headers = {
    ...ALWAYS,
    'content-type': 'application/json',
    'cache-control': `public, max-age=${maxAge}`,
    etag,
    ...(signature !== undefined && { 'x-svc-signature': signature }),
  }
  if (
    request.headers
      .get('if-none-match')
      ?.split(/\s*,\s*/u)
      .includes(etag)
  )
    return new Response(null, { status: 304, headers })
  return new Response(bytes as Uint8Array<ArrayBuffer>, { headers })
}
