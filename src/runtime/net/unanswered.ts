import type { ClientRequest } from 'node:http'

/**
 * Tells of a request that gets no answer, whatever ends it: an error, or a connection that is closed without one. An
 * answer 101, which nobody asked for, closes it so, and Node says nothing else of it.
 */
export function onUnanswered(sent: ClientRequest, failed: (error: NodeJS.ErrnoException) => void): void {
  let isAnswered = false
  sent.once('response', () => (isAnswered = true))
  sent.on('error', failed)
  sent.on('close', () => {
    if (!isAnswered)
      failed(Object.assign(new Error('The connection was closed without an answer.'), { code: 'ECONNRESET' }))
  })
}
