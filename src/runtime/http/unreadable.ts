/** Answers what is no request that could be handed on; such an answer is a typed failure, too (section 7). */
import { STATUS_CODES, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { failure } from '../../protocol/failures.js'
import { UNREADABLE, type UnreadableStatus } from '../../protocol/unreadable.js'

const STATUS_OF: { readonly [code: string]: UnreadableStatus } = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/** Headers and body of such an answer, after which the connection ends. */
export function unreadable(status: UnreadableStatus): { readonly headers: readonly string[]; readonly body: string } {
  const { type: failed, detail } = UNREADABLE[status]
  const body = JSON.stringify({ success: false, failure: failure(failed, detail) })
  const type = ['content-type', 'application/json', 'content-length', String(Buffer.byteLength(body))]
  return {
    headers: ['x-content-type-options', 'nosniff', ...type, 'cache-control', 'no-store', 'connection', 'close'],
    body,
  }
}

/**
 * Responds to a request Node could not parse. Does nothing while an earlier response is being sent.
 * Returns the listener that must receive each request.
 */
export function answerUnreadable(server: Server): RequestListener {
  const answering = new WeakMap<Duplex, Set<ServerResponse>>()
  // One function for all answers: a closure for each would keep its request, and with it the body.
  const forget = function (this: ServerResponse): void {
    answering.get(this.req.socket)?.delete(this)
  }
  server.on('clientError', ({ code = '' }: NodeJS.ErrnoException, socket) => {
    const isTorn = [...(answering.get(socket) ?? [])].some(({ headersSent }) => headersSent)
    if (!socket.writable || isTorn) return void socket.destroy()
    const status = STATUS_OF[code] ?? 400
    const { headers, body } = unreadable(status)
    const lines = headers.map((each, index) => (index % 2 === 0 ? `${each}: ` : `${each}\r\n`))
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`, () => socket.destroy())
  })
  return ({ socket }, outgoing) => {
    const answers = answering.get(socket)
    if (answers === undefined) answering.set(socket, new Set([outgoing]))
    else answers.add(outgoing)
    outgoing.on('close', forget)
  }
}
