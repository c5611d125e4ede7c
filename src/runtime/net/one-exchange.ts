/** One request over a connection of its own, and its answer as `fetch` gives it. Follows no redirect. */
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { Agent, request as httpsRequest } from 'node:https'
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { throughEgress } from './egress.js'
import { onUnanswered } from './unanswered.js'

export interface ExchangeRequest {
  readonly method: string
  readonly headers: { readonly [name: string]: string }
  readonly body?: string | Uint8Array | undefined
  readonly signal: AbortSignal
}

export type ExchangeRoute = Pick<RequestOptions, 'lookup'> & { readonly ca?: string | undefined }

/** Rejects where no answer comes. */
export async function oneExchange(
  url: URL,
  request: ExchangeRequest,
  connecting: ExchangeRoute = {},
): Promise<Response> {
  return responseOf(await exchanged(url, request, connecting))
}

function exchanged(url: URL, request: ExchangeRequest, connecting: ExchangeRoute): Promise<IncomingMessage> {
  const { method, body, signal } = request
  const headers = { 'accept-encoding': 'gzip', 'user-agent': 'svc-kit', ...request.headers }
  const isSecure = url.protocol === 'https:'
  const send = isSecure ? httpsRequest : httpRequest
  const agent = isSecure ? throughEgress(new Agent({ keepAlive: false })) : false
  return new Promise((done, failed) => {
    const sent = send(url, { ...connecting, method, headers, agent }, done)
    const leave = () => void sent.destroy(new Error('The answer took too long.'))
    signal.addEventListener('abort', leave, { once: true })
    sent.on('close', () => signal.removeEventListener('abort', leave))
    onUnanswered(sent, failed)
    if (signal.aborted) leave()
    sent.end(body)
  })
}

/** Statuses whose answers have no body. */
const EMPTY: readonly (number | undefined)[] = [204, 205, 304]

function responseOf(message: IncomingMessage): Response {
  const { statusCode, headers } = message
  const isZipped = headers['content-encoding'] === 'gzip'
  const body = isZipped ? pipeline(message, createGunzip(), () => undefined) : message
  const named = Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []))
  const init = { status: statusCode ?? 0, headers: named as [string, string][] }
  if (EMPTY.includes(statusCode)) return new Response(null, init)
  return new Response(Readable.toWeb(body) as ReadableStream<Uint8Array>, init)
}
