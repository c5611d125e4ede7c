import type { Readable, Writable } from 'node:stream'
import type { JsonObject } from '../../../protocol/manifest.js'
import { upstreamMessage, MOST_BYTES, resultIn, Unreachable, type McpChannel } from './channel.js'

interface Waiting {
  readonly resolve: (result: JsonObject) => void
  readonly reject: (error: unknown) => void
}

export interface Ends {
  readonly input: Writable
  readonly output: Readable
  readonly close: () => void
  /** From now on the process may end without it. */
  readonly release: () => void
}

/** JSON-RPC, one message a line. `onNotice` hears what the server says unasked. */
export function lineChannel({ input, output, close, release }: Ends, onNotice: (method: string) => void): McpChannel {
  const waiting = new Map<number, Waiting>()
  let last = 0
  let closed = false
  let rest: Uint8Array = new Uint8Array()
  const end = (why: string): void => {
    if (closed) return
    closed = true
    close()
    for (const { reject } of waiting.values()) reject(new Unreachable(why, true))
    waiting.clear()
  }
  const send = (message: object): void => {
    if (closed) return
    input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
    if (input.writableLength > MOST_BYTES) end(`The server left more than ${MOST_BYTES} bytes unread.`)
  }
  const take = (line: string): void => {
    const message = upstreamMessage(line)
    if (message === undefined) return
    if (typeof message.method === 'string') {
      // Nothing is done for a server: no sampling, no elicitation, no roots.
      if (message.id !== undefined) send({ id: message.id, error: { code: -32601, message: 'Method not found' } })
      else onNotice(message.method)
      return
    }
    const asker = waiting.get(Number(message.id))
    waiting.delete(Number(message.id))
    try {
      asker?.resolve(resultIn(message))
    } catch (error) {
      asker?.reject(error)
    }
  }
  output.on('data', (chunk: Buffer) => {
    const parts = split(rest, chunk)
    rest = parts.rest
    for (const line of parts.lines) take(line)
    if (rest.length > MOST_BYTES || parts.isTooLong) end(`A message had more than ${MOST_BYTES} bytes.`)
  })
  for (const stream of [input, output]) stream.on('error', () => end('The server broke off.'))
  output.on('close', () => end('The server ended.'))
  return {
    ask: (method, params, signal) =>
      new Promise((resolve, reject) => {
        if (closed) return reject(new Unreachable('The server has ended.', false))
        const id = ++last
        const give = () => {
          waiting.delete(id)
          if (!closed) send({ method: 'notifications/cancelled', params: { requestId: id } })
          reject(new Unreachable('The server did not answer in time.', true))
        }
        if (signal.aborted) return reject(new Unreachable('There is no time left.', false))
        signal.addEventListener('abort', give, { once: true })
        const settled =
          <Value>(then: (value: Value) => void) =>
          (value: Value) => {
            signal.removeEventListener('abort', give)
            then(value)
          }
        waiting.set(id, { resolve: settled(resolve), reject: settled(reject) })
        send({ id, method, params })
      }),
    tell: async (method, params = {}) => send({ method, params }),
    isClosed: () => closed,
    close: () => end('The connection was closed.'),
    release,
  }
}

/** The lines that are whole, and what is left. */
function split(before: Uint8Array, chunk: Uint8Array) {
  const all = before.length === 0 ? chunk : Buffer.concat([before, chunk])
  const lines: string[] = []
  let from = 0
  for (let at = all.indexOf(10, from); at !== -1; at = all.indexOf(10, from)) {
    if (at - from > MOST_BYTES) return { lines, rest: all.subarray(from), isTooLong: true }
    lines.push(Buffer.from(all.subarray(from, at)).toString('utf8'))
    from = at + 1
  }
  return { lines, rest: all.subarray(from), isTooLong: false }
}
