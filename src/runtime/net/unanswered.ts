import type { ClientRequest } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Tells of a request that gets no answer, whatever ends it: an error, or a connection that is closed without one. An
 * answer 101, which nobody asked for, closes it so, and Node says nothing else of it.
 */
export function onUnanswered(sent: ClientRequest, failed: (error: NodeJS.ErrnoException) => void): void {
  let isAnswered = false
  sent.on('socket', hear)
  sent.once('response', () => (isAnswered = true))
  sent.on('error', failed)
  sent.on('close', () => {
    if (!isAnswered)
      failed(Object.assign(new Error('The connection was closed without an answer.'), { code: 'ECONNRESET' }))
  })
}

/**
 * Hears each error of a connection, as long as it lives. Node takes its own listener off when a request is answered and
 * its last write has failed, before it tells of that failure; an error that nobody hears ends the process.
 */
function hear(connection: Socket): void {
  if (!connection.listeners('error').includes(ignored)) connection.on('error', ignored)
}

const ignored = (): void => undefined
