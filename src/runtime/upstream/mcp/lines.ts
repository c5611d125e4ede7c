import type { Readable, Writable } from 'node:stream'
import type { JsonObject } from '../../../protocol/manifest.js'
import { isAnswer, upstreamMessage, MOST_BYTES, resultIn, Unreachable, type McpChannel } from './channel.js'
import { handshake } from './handshake.js'
import { lineReader } from './line-reader.js'
import { countUnasked } from './unasked.js'

interface Waiting {
  readonly resolve: (result: JsonObject) => void
  readonly reject: (error: unknown) => void
  readonly onProgress: (() => void) | undefined
}

export interface Ends {
  readonly input: Writable
  readonly output: Readable
  readonly close: () => void
  /** From now on the process may end without it. */
  readonly release: () => void
}

const NEVER = new AbortController().signal
const NO_METHOD = { code: -32601, message: 'Method not found' }

/** JSON-RPC, one message a line. `onNotice` hears what the server says unasked. */
export function lineChannel({ input, output, close, release }: Ends, onNotice: (method: string) => void): McpChannel {
  const waiting = new Map<number, Waiting>()
  let last = 0
  let closed = false
  let envelope: JsonObject = {}
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
  const unasked = countUnasked(end)
  const take = (line: string): void => {
    if (closed) return
    const message = upstreamMessage(line)
    const asker = message !== undefined && isAnswer(message) ? waiting.get(Number(message.id)) : undefined
    if (message === undefined || asker === undefined) unasked.add(1, line.length)
    if (message === undefined) return
    if (typeof message.method === 'string') {
      // A ping is answered. Nothing else is done for a server: no sampling, no elicitation, no roots.
      if (message.id !== undefined)
        send({ id: message.id, ...(message.method === 'ping' ? { result: {} } : { error: NO_METHOD }) })
      else if (message.method === 'notifications/progress') waiting.get(progressTokenIn(message.params))?.onProgress?.()
      else onNotice(message.method)
      return
    }
    if (asker === undefined) return
    waiting.delete(Number(message.id))
    unasked.answered()
    try {
      asker.resolve(resultIn(message))
    } catch (error) {
      asker.reject(error)
    }
  }
  const linesOf = lineReader(MOST_BYTES)
  output.on('data', (chunk: Buffer) => {
    const { lines, isTooLong } = linesOf(chunk)
    for (const line of lines) take(line)
    if (isTooLong) end(`A message had more than ${MOST_BYTES} bytes.`)
  })
  for (const stream of [input, output]) stream.on('error', () => end('The server broke off.'))
  output.on('close', () => end('The server ended.'))
  const ask: McpChannel['ask'] = (method, params, signal, onProgress) =>
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
      waiting.set(id, { resolve: settled(resolve), reject: settled(reject), onProgress })
      const meta = {
        ...envelope,
        ...(params['_meta'] as JsonObject | undefined),
        ...(onProgress && { progressToken: id }),
      }
      send({ id, method, params: { ...params, ...(Object.keys(meta).length > 0 && { _meta: meta }) } })
    })
  /** Asks to be told of changed tools, as long as the channel is open. */
  const listen = (): void =>
    void ask('subscriptions/listen', { notifications: { toolsListChanged: true } }, NEVER).catch(() => undefined)
  return {
    begin: async (signal) => {
      const tell = (method: string): void => send({ method, params: {} })
      const begun = await handshake((method, params) => ask(method, params, signal), tell)
      envelope = begun.envelope
      if (begun.tellsIfAsked) listen()
    },
    ask,
    isClosed: () => closed,
    close: () => end('The connection was closed.'),
    release,
  }
}

const progressTokenIn = (params: unknown): number =>
  Number((Object(params) as { readonly progressToken?: unknown }).progressToken)
