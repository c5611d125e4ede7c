import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Part of the connections from which on those that wait for their client make room. */
const FULL_AT = 0.9

interface Exchange {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
}

/**
 * Keeps room for new connections: where few are left, the one ends that has waited longest for its client, which has
 * sent no request, or not all of one, or reads no answer to its last one. Whoever is being answered stays; how many
 * answers one principal may wait for is bounded where it is known (threats N29, N30). Returns what notes a request that is
 * served.
 */
export function keepConnectionRoom(server: Server, most: number): RequestListener {
  const open = new Map<Socket, Exchange | undefined>()
  /** Sets what a connection does, and makes it the last that must go. */
  const note = (socket: Socket, exchange: Exchange | undefined): void => {
    open.delete(socket)
    open.set(socket, exchange)
  }
  server.on('connection', (socket: Socket) => {
    if (open.size >= most * FULL_AT) longestIdle(open)?.destroy()
    note(socket, undefined)
    socket.once('close', () => open.delete(socket))
  })
  return (incoming, outgoing) => {
    const { socket } = incoming
    if (socket.destroyed) return
    note(socket, { incoming, outgoing })
    outgoing.once('close', () => open.has(socket) && note(socket, undefined))
  }
}

function longestIdle(open: ReadonlyMap<Socket, Exchange | undefined>): Socket | undefined {
  for (const [socket, exchange] of open) if (exchange === undefined || !isAnswered(exchange)) return socket
  return undefined
}

/** Holds while the service works on a request that it has read to its end. */
const isAnswered = ({ incoming, outgoing }: Exchange): boolean => incoming.complete && !outgoing.writableEnded
