import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { RuntimeLimits } from '../limits.js'
import { StartUpError } from '../errors/start-up-error.js'
import type { AnswerOverHttp } from './exchange.js'
import { listener } from './listener.js'
import { answerUnreadable, unreadable } from './unreadable.js'

/** A Node server around what answers: bounded headers, bounded times, no limit keyed on what a client may forge. */
export function nodeServer(answer: AnswerOverHttp, limits: RuntimeLimits): Server {
  const listen = listener(answer)
  const server = createServer({
    maxHeaderSize: limits.headerBytes,
    headersTimeout: Math.min(10_000, limits.requestTimeoutMs),
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: 5_000,
    connectionsCheckingInterval: 1_000,
  })
  const noteAnswer = answerUnreadable(server)
  // One listener for all: several would be copied at each request.
  server.on('request', (incoming, outgoing) => {
    noteAnswer(incoming, outgoing)
    const refusal = headersRefused(incoming)
    if (refusal === undefined) return listen(incoming, outgoing)
    const { headers, body } = unreadable(refusal)
    outgoing.writeHead(refusal, [...headers]).end(body)
  })
  // Node drops what is above the count in silence; so nothing is dropped, and more than the limit is refused.
  server.maxHeadersCount = 0
  server.maxRequestsPerSocket = 10_000
  server.maxConnections = limits.connections
  return server
}

const MAX_HEADERS = 100

/** The status for headers that no client of ours sends: too many of them, or two hosts (RFC 9112, section 3.2). */
function headersRefused({ rawHeaders }: IncomingMessage): 400 | 431 | undefined {
  if (rawHeaders.length / 2 > MAX_HEADERS) return 431
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]!.toLowerCase() === 'host') hosts += 1
  return hosts > 1 ? 400 : undefined
}

/** Resolves when the server listens; rejects with a message that says what to do when it cannot. */
export async function listen(server: Server, host: string, port: number): Promise<AddressInfo> {
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new StartUpError(
      `The port must be a whole number from 0 to 65535, found ${Number.isNaN(port) ? 'none' : port}. Set PORT, or leave it away.`,
    )
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(new StartUpError(explained(error, host, port))))
    server.listen(port, host, () => resolve(server.address() as AddressInfo))
  })
}

function explained({ code, message }: NodeJS.ErrnoException, host: string, port: number): string {
  if (code === 'EADDRINUSE')
    return `Port ${port} on ${host} is in use. Stop the process that uses it, or choose another port.`
  if (code === 'EACCES') return `This user may not listen on port ${port}. Choose a port above 1023.`
  return `Cannot listen on ${host}:${port}: ${message}`
}

/** For so long connections that are on their way are still taken and answered, so that none is reset that was accepted. */
const LINGER_MS = 250

/**
 * Answers what still comes for a moment, and tells each client that the connection ends with its answer; then takes no new connection,
 * lets requests in flight end within the grace, and closes what is left.
 */
export async function shut(server: Server, graceMs: number): Promise<void> {
  server.prependListener('request', (_, outgoing) => outgoing.setHeader('connection', 'close'))
  if ((await connectionsOf(server)) > 0)
    await new Promise((resolve) => setTimeout(resolve, Math.min(LINGER_MS, graceMs / 4)))
  return stop(server, graceMs)
}

const connectionsOf = (server: Server): Promise<number> =>
  new Promise((resolve) => server.getConnections((_, count = 0) => resolve(count)))

function stop(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const force = setTimeout(() => server.closeAllConnections(), graceMs)
    const idle = setInterval(() => server.closeIdleConnections(), 20)
    server.close(() => {
      clearTimeout(force)
      clearInterval(idle)
      resolve()
    })
    server.closeIdleConnections()
  })
}
