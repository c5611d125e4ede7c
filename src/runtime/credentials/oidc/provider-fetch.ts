import type { LookupAddress } from 'node:dns'
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { Agent, request as httpsRequest } from 'node:https'
import { isIP } from 'node:net'
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { throughEgress } from '../../net/egress.js'
import { judgedLookup, refusedAddress } from '../../net/judged-lookup.js'
import { onUnanswered } from '../../net/unanswered.js'
import type { OidcOptions } from './options.js'
import { reachOf, SYSTEM, type Network } from './reach.js'

export interface ProviderRequest {
  readonly method: string
  readonly headers: { readonly [name: string]: string }
  readonly body?: string
  readonly signal: AbortSignal
}

/** Sends a request to a provider. Rejects where no answer comes; follows no redirect. */
export type ProviderFetch = (url: string, request: ProviderRequest) => Promise<Response>

/** Each connection goes to an address that was judged when it was opened (threat O08). */
export function providerFetch(options: OidcOptions, network: Network = SYSTEM): ProviderFetch {
  const reach = reachOf(options, network)
  return async (address, request) => {
    const url = new URL(address)
    const judge = reach.judgeOf(url)
    const literal = addressIn(url)
    let found: readonly LookupAddress[] = literal
    if (literal.length > 0 && judge(literal).length === 0) throw refusedAddress()
    const lookup = judgedLookup(network.resolve, (addresses) => judge((found = addresses)))
    const message = await exchanged(url, request, { lookup, ca: network.authorities })
    reach.answered(url, found)
    return responseOf(message)
  }
}

/** The host of a URL, where it is an address and no name: nobody resolves it. */
function addressIn({ hostname }: URL): readonly LookupAddress[] {
  const address = hostname.replaceAll(/^\[|\]$/gu, '')
  const family = isIP(address)
  return family === 0 ? [] : [{ address, family }]
}

type Connecting = Pick<RequestOptions, 'lookup'> & { readonly ca: string | undefined }

function exchanged(url: URL, request: ProviderRequest, connecting: Connecting): Promise<IncomingMessage> {
  const { method, body, signal } = request
  const headers = { 'accept-encoding': 'gzip', 'user-agent': 'svc-kit', ...request.headers }
  const isSecure = url.protocol === 'https:'
  const send = isSecure ? httpsRequest : httpRequest
  const agent = isSecure ? throughEgress(new Agent({ keepAlive: false })) : false
  return new Promise((done, failed) => {
    const sent = send(url, { ...connecting, method, headers, agent }, done)
    const leave = () => void sent.destroy(new Error('The provider took too long.'))
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
