import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { Server as NetServer, type AddressInfo, type Socket } from 'node:net'
import type { RuntimeLimits } from '../limits.js'
import { StartUpError } from '../errors/start-up-error.js'
import { beginInTurn } from './begin-in-turn.js'
import { clientOf } from './client-address.js'
import { keepConnectionRoom } from './connection-room.js'
import type { AnswerOverHttp } from './exchange.js'
import { listener } from './listener.js'
import { unreadAnswers } from './unread-answers.js'
import { answerUnreadable, unreadable } from './unreadable.js'

/** Answers that have not ended: a drain tells those that have not begun that their connection ends. */
const OPEN = new WeakMap<Server, ReadonlySet<ServerResponse>>()

/** A Node server around what answers: bounded headers, bounded times, no limit keyed on what a client may forge. */
export function nodeServer(answer: AnswerOverHttp, limits: RuntimeLimits): Server {
  const listen = listener(answer, unreadAnswers(limits))
  const server = createServer({
    maxHeaderSize: limits.headerBytes,
    headersTimeout: Math.min(10_000, limits.requestTimeoutMs),
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveMs,
    // A request without a host is refused here, with a body.
    requireHostHeader: false,
    connectionsCheckingInterval: 1_000,
  })
  const noteAnswer = answerUnreadable(server)
  const beginOf = beginInTurn(server)
  const noteServed = keepConnectionRoom(server, limits.connections)
  const open = new Set<ServerResponse>()
  OPEN.set(server, open)
  // Node closes no answer that waits behind another one when its connection ends.
  const openOn = new WeakMap<Socket, Set<ServerResponse>>()
  server.on('connection', (socket: Socket) => {
    const own = new Set<ServerResponse>()
    openOn.set(socket, own)
    socket.once('close', () => own.forEach((outgoing) => open.delete(outgoing)))
  })
  // One listener for all: several would be copied at each request.
  server.on('request', (incoming, outgoing) => {
    const own = openOn.get(incoming.socket)
    if (own !== undefined && own.size >= MOST_UNANSWERED) return endUnread(incoming.socket)
    noteAnswer(incoming, outgoing)
    for (const each of [open, own]) each?.add(outgoing)
    outgoing.once('close', () => {
      for (const each of [open, own]) each?.delete(outgoing)
      // In another turn of the event loop: all that a connection has sent would be answered in one.
      for (const next of own ?? []) return void setImmediate(begin, next.req, next)
    })
    if (own === undefined || own.size === 1) begin(incoming, outgoing)
  })
  const begin: RequestListener = (incoming, outgoing) =>
    beginOf(clientOf(incoming.socket.remoteAddress), () => serve(incoming, outgoing))
  /** Serves a request when the answers before it on its connection have left, or not at all where it is gone. */
  const serve: RequestListener = (incoming, outgoing) => {
    const { socket } = incoming
    if (socket.destroyed) return
    // The time for an answer to be read is over with it.
    if (socket.timeout) socket.setTimeout(0)
    noteServed(incoming, outgoing)
    const refusal = headersRefused(incoming)
    if (refusal === undefined) return listen(incoming, outgoing)
    const { headers, body } = unreadable(refusal)
    outgoing.writeHead(refusal, [...headers]).end(body)
  }
  // Node drops what is above the count in silence; so nothing is dropped, and more than the limit is refused.
  server.maxHeadersCount = 0
  server.maxRequestsPerSocket = 10_000
  server.maxConnections = limits.connections
  return server
}

const MAX_HEADERS = 100

/**
 * Requests of one connection that may wait for their answers: who sends thousands at once would be served before
 * whoever sends one, since all that a connection has sent is read together.
 */
const MOST_UNANSWERED = 16

/** Ends a connection. Node would still make requests of all that it has read of it: its parser is told to stop. */
function endUnread(socket: Socket & { readonly parser?: { onIncoming: () => number } | null }): void {
  if (socket.parser) socket.parser.onIncoming = () => STOP
  socket.destroy()
}

/** For Node's parser: what follows is no request. */
const STOP = 2

/**
 * The status for headers that no client of ours sends: too many; none or two hosts; a length that a proxy may read
 * otherwise, of chunks in HTTP/1.0 or within another coding (RFC 9112, sections 3.2 and 6.1).
 */
function headersRefused({ rawHeaders, httpVersion }: IncomingMessage): 400 | 431 | undefined {
  if (rawHeaders.length / 2 > MAX_HEADERS) return 431
  let [hosts, isOdd] = [0, false]
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!.toLowerCase()
    if (name === 'host') hosts += 1
    if (name === 'transfer-encoding')
      isOdd ||= httpVersion !== '1.1' || rawHeaders[at + 1]!.trim().toLowerCase() !== 'chunked'
  }
  return isOdd || hosts > 1 || (hosts === 0 && httpVersion === '1.1') ? 400 : undefined
}

/** Resolves when the server listens; rejects with a message that says what to do when it cannot. */
export async function listen(server: Server, host: string, port: number): Promise<AddressInfo> {
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new StartUpError(
      `The port must be a whole number from 0 to 65535, found ${Number.isNaN(port) ? 'none' : port}. Set PORT, ` +
        'or leave it away.',
    )
  return new Promise((resolve, reject) => {
    server.on('error', (error: NodeJS.ErrnoException) => reject(new StartUpError(explained(error, host, port))))
    server.listen(port, host, () => resolve(server.address() as AddressInfo))
  })
}

function explained({ code, message }: NodeJS.ErrnoException, host: string, port: number): string {
  if (code === 'EADDRINUSE')
    return `Port ${port} on ${host} is in use. Stop the process that uses it, or choose another port.`
  if (code === 'EACCES') return `This user may not listen on port ${port}. Choose a port above 1023.`
  return `Cannot listen on ${host}:${port}: ${message}`
}

/** For so long at most a stop waits for a turn in which nobody connects. */
const LINGER_MS = 250

/**
 * Ends listening, then tells each client that its connection ends with the next answer, and lets requests in flight
 * end within the grace. Nobody is told before: who is told connects again at once, and a connection that the system
 * took for us when listening ends is reset. A connection that is kept alive is closed by its next answer, or when its
 * client has been promised no more of it: to close it sooner would reset a request that is on its way.
 */
export async function shut(server: Server, graceMs: number): Promise<void> {
  const now = performance.now()
  await new Promise<void>((resolve) =>
    whenNobodyConnects(server, now + Math.min(LINGER_MS, graceMs / 4), () => resolve(takeNoMore(server))),
  )
  for (const outgoing of OPEN.get(server) ?? []) sayClose(outgoing)
  server.prependListener('request', (_, outgoing) => sayClose(outgoing))
  await untilNone(server, now + Math.min(server.keepAliveTimeout, graceMs / 2))
  return stop(server, now + graceMs)
}

/**
 * Calls back after two turns of the event loop without a new connection, or at a time: Node accepts one connection in a
 * turn, so that then none waits. It calls, and does not resolve: one more turn would be time for the next to come.
 */
function whenNobodyConnects(server: Server, until: number, then: () => void): void {
  let quietTurns = 0
  const noteConnection = (): void => void (quietTurns = -1)
  server.on('connection', noteConnection)
  const look = (): void => {
    quietTurns += 1
    if (quietTurns < 2 && performance.now() < until) return void setImmediate(look)
    server.off('connection', noteConnection)
    then()
  }
  setImmediate(look)
}

/** Ends listening alone: `close` of an HTTP server would close idle connections, too. */
const takeNoMore = (server: Server): void => void NetServer.prototype.close.call(server)

const sayClose = (outgoing: ServerResponse): void => {
  if (!outgoing.headersSent) outgoing.setHeader('connection', 'close')
}

/** Resolves when no connection is left, or at a time. */
async function untilNone(server: Server, until: number): Promise<void> {
  while (performance.now() < until && (await connectionsOf(server)) > 0)
    await new Promise((resolve) => setTimeout(resolve, 10))
}

const connectionsOf = (server: Server): Promise<number> =>
  new Promise((resolve) => server.getConnections((_, count = 0) => resolve(count)))

/** Lets what is in flight end until a time, and closes what is left. */
async function stop(server: Server, until: number): Promise<void> {
  server.closeIdleConnections()
  const idle = setInterval(() => server.closeIdleConnections(), 20)
  await untilNone(server, until)
  clearInterval(idle)
  server.closeAllConnections()
  // Node checks connections for their times until its own `close`; listening has ended, so its error says nothing.
  await new Promise((resolve) => server.close(resolve))
}
