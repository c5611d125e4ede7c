/** Carries HTTP between a Node server and the service, without a web `Request` or `Response` for each call. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { refuse } from '../errors/refusal.js'
import { assertAnnounced, refuseLarge, refuseRead } from './body.js'
import { clientOf } from './client-address.js'
import { refuseBusy, type BodyInFlight } from '../request/bodies-in-flight.js'
import type { AnswerOverHttp, HttpRequest, HttpResponse } from './exchange.js'
import type { NoteAnswer } from './unread-answers.js'

export const listener =
  (answer: AnswerOverHttp, note: NoteAnswer = () => undefined, peerOf: PeerOf = peerAddress) =>
  (incoming: IncomingMessage, outgoing: ServerResponse, url = incoming.url ?? ''): void => {
    const peer = peerOf(incoming)
    void answer(httpRequestOf(incoming, url, peer))
      .then((response) => give(incoming, outgoing, response))
      .then((principal) => note(outgoing, principal, clientOf(peer)))
      .catch(() => outgoing.destroy())
  }

/** Returns the address of the client of a request. */
export type PeerOf = (incoming: IncomingMessage) => string | undefined

const peerAddress: PeerOf = (incoming) => incoming.socket.remoteAddress

const httpRequestOf = (incoming: IncomingMessage, url: string, peer: string | undefined): HttpRequest => ({
  method: incoming.method ?? '',
  target: targetOf(url),
  client: clientOf(peer, incoming.httpVersion),
  header: (name) => headerIn(incoming.rawHeaders, name),
  isGone: () => incoming.socket.destroyed,
  body: (most, inFlight) => bodyOf(incoming, most, inFlight),
})

/** A request to a proxy names the whole address (RFC 9112, section 3.2.2). */
export function targetOf(url: string): string {
  if (url.startsWith('/') || !URL.canParse(url)) return url
  const { pathname, search } = new URL(url)
  return pathname + search
}

/** From the raw headers: Node's own object drops the second `Authorization` instead of showing that there are two. */
export function headerIn(rawHeaders: readonly string[], name: string): string | null {
  const separator = name === 'cookie' ? '; ' : ', '
  let value: string | null = null
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const raw = rawHeaders[at]!
    if (raw.length !== name.length || (raw !== name && raw.toLowerCase() !== name)) continue
    value = value === null ? rawHeaders[at + 1]! : `${value}${separator}${rawHeaders[at + 1]!}`
  }
  return value
}

/** The body, counted while it comes. One that is cut off is nobody's fault here. */
async function bodyOf(incoming: IncomingMessage, most: number, inFlight: BodyInFlight): Promise<Uint8Array> {
  if (incoming.readableDidRead) refuseRead()
  assertAnnounced(headerIn(incoming.rawHeaders, 'content-length'), most)
  const bytes = await bytesOf(incoming, most, inFlight)
  if (bytes === 'no room') return refuseBusy()
  if (bytes === 'too large') return refuseLarge(most)
  if (bytes === 'cut off') return refuse('invalid_parameters', 'The request ended before its body did.')
  return bytes
}

type Unread = 'too large' | 'no room' | 'cut off'

function bytesOf(incoming: IncomingMessage, most: number, inFlight: BodyInFlight): Promise<Uint8Array | Unread> {
  return new Promise((resolve) => {
    if (incoming.destroyed) resolve('cut off')
    const parts: Buffer[] = []
    let length = 0
    const drop = (reason: Unread): void => {
      incoming.off('data', keep).resume()
      parts.length = 0
      resolve(reason)
    }
    const keep = (part: Buffer): void => {
      length += part.length
      if (length > most) drop('too large')
      else if (inFlight.take(part.length)) parts.push(part)
      else drop('no room')
    }
    inFlight.whenEnded(() => drop('no room'))
    incoming.on('data', keep)
    incoming.on('end', () => resolve(parts.length === 1 ? parts[0]! : Buffer.concat(parts)))
    incoming.on('close', () => resolve('cut off'))
  })
}

/** Sends a response, and returns its principal. */
function give(incoming: IncomingMessage, outgoing: ServerResponse, response: HttpResponse): string | undefined {
  noteLeft(outgoing, response)
  send(incoming, outgoing, response)
  return response.principal
}

/** Keeps what an answer holds until it has left, or its connection is gone. */
function noteLeft(outgoing: ServerResponse, { left }: HttpResponse): void {
  if (left === undefined) return
  if (outgoing.closed || outgoing.destroyed) left()
  else outgoing.once('close', left)
}

function send(incoming: IncomingMessage, outgoing: ServerResponse, { status, headers, body }: HttpResponse): void {
  if (!incoming.complete) limitRest(incoming)
  if (body instanceof ReadableStream) {
    outgoing.writeHead(status, headers as string[]).flushHeaders()
    void pour(body, outgoing)
  } else if (body === null) {
    outgoing.writeHead(status, headers as string[]).end()
  } else {
    const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length
    outgoing.writeHead(status, [...headers, 'content-length', String(length)])
    if (incoming.complete || !headers.includes('close')) outgoing.end(body)
    else endLater(incoming, outgoing, body)
  }
}

/**
 * Ends a connection after the answer to a request that is still being sent: who is cut off while sending reads no
 * answer, so that what comes is taken, and thrown away, until the client has read it, or for a moment.
 */
function endLater(incoming: IncomingMessage, outgoing: ServerResponse, body: string | Uint8Array): void {
  const end = (): void => {
    clearTimeout(patience)
    if (!outgoing.writableEnded) outgoing.end()
  }
  const patience = setTimeout(end, PATIENCE_MS)
  patience.unref()
  outgoing.write(body)
  incoming.once('close', end).once('end', end).resume()
}

const PATIENCE_MS = 500

/** Reads for a short time what a client still sends after its response. */
function limitRest(incoming: IncomingMessage): void {
  setTimeout(() => {
    if (!incoming.complete) incoming.socket.destroySoon()
  }, PATIENCE_MS).unref()
}

/** Writes a stream as fast as the client takes it; a client that leaves cancels it. */
async function pour(stream: ReadableStream<Uint8Array>, outgoing: ServerResponse): Promise<void> {
  const reader = stream.getReader()
  outgoing.once('close', () => void reader.cancel().catch(() => undefined))
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    if (!outgoing.write(value) && !outgoing.closed) await drained(outgoing)
  }
  outgoing.end()
}

const drained = (outgoing: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      outgoing.off('drain', end).off('close', end)
      resolve()
    }
    outgoing.on('drain', end).on('close', end)
  })
