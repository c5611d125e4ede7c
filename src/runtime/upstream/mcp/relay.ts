/**
 * The one way of a child to a network: it asks over an inherited socket, and this end, in the service, connects. Only
 * public addresses are connected to, whatever a name means; a child cannot go around it, having no interface of its own.
 */
import { constants, createServer, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2'
import { connect, isIP, type Socket } from 'node:net'
import { pipeline, type Duplex, type Transform } from 'node:stream'
import { judgedLookup, systemResolve } from '../../net/judged-lookup.js'
import { isPublicAddress } from '../../net/public-address.js'
import type { ReachableHosts } from './pinned.js'
import { sharedPace } from './relay-pace.js'

const MOST_CONNECTIONS = 64
const CONNECTS_WITHIN_MS = 10_000
const IDLE_MS = 300_000
/** Connections that a child may ask for in a minute, refused ones among them; one that asks for more has no relay. */
const MOST_ASKED = 600
const MINUTE_MS = 60_000
/** Bytes of a child that are read in a second, four times what its streams take; one that sends more has no relay. */
const MOST_READ = 32 * 1024 * 1024
const SECOND_MS = 1_000

/** Connects to a host that was judged. A test gives another. */
export type Dial = (host: string, port: number) => Socket

/** A name is judged by the addresses that it has when the connection is opened. */
const dialPublic: Dial = (host, port) =>
  connect({
    host,
    port,
    lookup: judgedLookup(systemResolve, (all) => all.filter((each) => isPublicAddress(each.address))),
  })

/** Answers each CONNECT of a child, as HTTP/2 over its socket. */
export function serveRelay(socket: Duplex, network: ReachableHosts, dial: Dial = dialPublic): void {
  const server = createServer({ settings: { maxConcurrentStreams: MOST_CONNECTIONS } })
  for (const event of ['error', 'sessionError'] as const) server.on(event, () => undefined)
  const pace = sharedPace()
  const mayAsk = askedInAMinute()
  server.on('stream', (stream, headers) => {
    stream.on('error', () => undefined)
    if (!mayAsk()) return stream.session?.destroy()
    const target = allowedTarget(headers, network)
    if (target === undefined) refuse(stream, constants.HTTP_STATUS_FORBIDDEN)
    else relayTo(stream, dial(target.host, target.port), pace)
  })
  socket.on('error', () => undefined)
  endFloods(socket as Socket)
  server.emit('connection', socket)
}

/** Ends a connection that brings more than its streams take: frames that carry nothing are work for the service, too. */
function endFloods(socket: Socket): void {
  let before = 0
  const look = (): void => {
    const { bytesRead } = socket
    if (bytesRead - before > MOST_READ) socket.destroy()
    before = bytesRead
  }
  const timer = setInterval(look, SECOND_MS).unref()
  socket.once('close', () => clearInterval(timer))
}

/** Counts what is asked for in a minute; false beyond the bound. */
function askedInAMinute(): () => boolean {
  let asked = 0
  let minute: NodeJS.Timeout | undefined
  const begin = (): void => {
    asked = 0
    minute = undefined
  }
  return () => {
    minute ??= setTimeout(begin, MINUTE_MS).unref()
    asked += 1
    return asked <= MOST_ASKED
  }
}

interface Target {
  readonly host: string
  readonly port: number
}

/** Returns where a child may be connected to: what was judged is what is connected to. */
export function allowedTarget(headers: IncomingHttpHeaders, network: ReachableHosts): Target | undefined {
  const { ':method': method, ':authority': authority } = headers
  if (method !== 'CONNECT' || typeof authority !== 'string' || !URL.canParse(`http://${authority}`)) return undefined
  const { hostname, port, pathname, username } = new URL(`http://${authority}`)
  const host = hostname.replace(/^\[|\]$/gu, '')
  if (pathname !== '/' || username !== '' || !isAccepted(host, network)) return undefined
  if (isIP(host) !== 0 && !isPublicAddress(host)) return undefined
  return { host, port: port === '' ? 80 : Number(port) }
}

const isAccepted = (host: string, network: ReachableHosts): boolean =>
  network === 'open' || (network !== 'none' && network.includes(host))

function relayTo(stream: ServerHttp2Stream, far: Socket, pace: () => Transform): void {
  const giveUp = (): void => {
    far.destroy()
    if (!stream.headersSent) refuse(stream, constants.HTTP_STATUS_BAD_GATEWAY)
  }
  far.setTimeout(CONNECTS_WITHIN_MS, giveUp)
  far.on('error', giveUp)
  stream.on('close', () => far.destroy())
  far.once('connect', () => {
    far.setTimeout(IDLE_MS)
    if (stream.destroyed) return
    stream.respond({ ':status': constants.HTTP_STATUS_OK })
    pipeline(stream, pace(), far, pace(), stream, () => undefined)
  })
}

function refuse(stream: ServerHttp2Stream, status: number): void {
  if (!stream.destroyed) stream.respond({ ':status': status }, { endStream: true })
}
