/** Sends a body to an address that an operator has configured, and to no other place (threat N23). */
import { Agent as HttpAgent, request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { isIP } from 'node:net'
import { parsedAddress } from '../../protocol/address.js'
import { throughEgress } from '../net/egress.js'
import { judgedLookup, PRIVATE, systemResolve, type Judge, type Resolve } from '../net/judged-lookup.js'
import { secondsToWait } from '../net/retry-after.js'
import { onUnanswered } from '../net/unanswered.js'
import { isLoopback } from '../net/loopback.js'
import { isLoopbackAddress, isPublicAddress } from '../net/public-address.js'
import type { Delivered } from './targets/target.js'

export interface PostOptions {
  readonly url: string
  /** Holds where addresses of private networks are meant. */
  readonly allowPrivate: boolean
  /** Answers with the addresses of a name; the system's resolver by default. */
  readonly resolve?: Resolve | undefined
  /** ms for a whole exchange. */
  readonly withinMs?: number
}

export type Post = (
  headers: { readonly [name: string]: string },
  body: string,
  signal: AbortSignal,
) => Promise<Delivered>

const WITHIN_MS = 10_000
/** Of an answer nothing is read but its status; so much may come before the connection is closed. */
const MOST_BYTES = 64 * 1024
const MOST_RETRY_AFTER_S = 3600

/** Returns the problems of an address: over a network, only https is allowed. */
export function addressProblems(url: string): readonly string[] {
  const parsed = parsedAddress(url)
  const isSafe = parsed?.protocol === 'https:' || (parsed?.protocol === 'http:' && isLoopback(url))
  // The address itself may be the secret, and is not repeated.
  if (parsed === undefined || !isSafe) return ['Its url must be an https address; http is for loopback addresses only.']
  return parsed.username === '' && parsed.password === '' ? [] : ['Its url must hold no user name and no password.']
}

/** Connections are kept; each goes to the address that was judged when it was opened, whatever its name means later. */
export function postTo({ url, allowPrivate, resolve = systemResolve, withinMs = WITHIN_MS }: PostOptions): Post {
  const mayReach = allowPrivate ? () => true : isLoopback(url) ? isLoopbackAddress : isPublicAddress
  const target = new URL(url)
  const host = target.hostname.replaceAll(/^\[|\]$/gu, '')
  const isSecure = target.protocol === 'https:'
  const options = { keepAlive: true, maxSockets: 8, lookup: judgedLookup(resolve, allOrNone(mayReach)) }
  const agent = isSecure ? throughEgress(new HttpsAgent(options)) : new HttpAgent(options)
  return async (headers, body, signal) => {
    if (isIP(host) !== 0 && !mayReach(host)) return { ok: false, error: PRIVATE }
    const send = isSecure ? httpsRequest : httpRequest
    return new Promise((done) => {
      const length = String(Buffer.byteLength(body))
      const sent = send(
        target,
        { method: 'POST', agent, headers: { ...headers, 'content-length': length } },
        (response) => {
          leave(response)
          done(judged(response))
        },
      )
      endWithin(sent, withinMs, signal)
      onUnanswered(sent, (error) => done({ ok: false, error: errorOf(error, withinMs) }))
      sent.end(body)
    })
  }
}

/** Ends an exchange that takes too long, the rest of its answer included, or that nobody waits for any more. */
function endWithin(sent: ClientRequest, ms: number, signal: AbortSignal): void {
  const end = (code: string) => () => void sent.destroy(Object.assign(new Error(code), { code }))
  const timer = setTimeout(end('SVC_LATE'), ms)
  const stop = end('SVC_STOPPED')
  signal.addEventListener('abort', stop, { once: true })
  sent.on('close', () => {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
  })
}

/** Refuses a name if any of its addresses may not be reached. */
const allOrNone =
  (mayReach: (address: string) => boolean): Judge =>
  (addresses) =>
    addresses.every(({ address }) => mayReach(address)) ? addresses : []

/** Lets a short answer end, so that its connection can be used again, and ends a long one. */
function leave(response: IncomingMessage): void {
  let bytes = 0
  response.on('error', () => undefined)
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > MOST_BYTES) response.destroy()
  })
}

/** A redirect is not followed: it is a failure like any other status. */
function judged({ statusCode = 0, headers }: IncomingMessage): Delivered {
  if (statusCode >= 200 && statusCode < 300) return { ok: true }
  const seconds = secondsToWait(headers['retry-after'], headers.date)
  const retryAfterMs = seconds && Math.min(seconds, MOST_RETRY_AFTER_S) * 1000
  return { ok: false, error: `status ${statusCode}`, retryAfterMs }
}

function errorOf({ code = '' }: NodeJS.ErrnoException, withinMs: number): string {
  if (code === 'SVC_STOPPED') return 'stopped'
  if (code === 'SVC_PRIVATE') return PRIVATE
  if (code === 'SVC_LATE') return `no answer within ${withinMs / 1000} s`
  return `no answer (${/^[A-Z0-9_]{1,60}$/u.test(code) ? code : 'ERROR'})`
}
