import type { JsonObject } from '../../../protocol/manifest.js'
import { bodyAtMost } from '../../net/read-at-most.js'
import { upstreamMessage, MOST_BYTES, resultIn, Unreachable, type McpChannel } from './channel.js'
import type { PinnedAddress } from './pinned.js'

const LOOPBACK = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/u

/** Streamable HTTP: each request is a POST, answered by JSON or by events. No redirect is followed. */
export function httpChannel({ url }: PinnedAddress, credential: string | undefined): McpChannel {
  const address = new URL(url)
  if (address.protocol !== 'https:' && !(address.protocol === 'http:' && LOOPBACK.test(address.hostname)))
    throw new Error(`The MCP server ${address.origin} must be https, or at a loopback address.`)
  let last = 0
  let session: string | undefined
  let version: string | undefined
  let closed = false
  const post = async (message: object, signal: AbortSignal): Promise<Response> => {
    const headers = new Headers({ 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' })
    if (session !== undefined) headers.set('Mcp-Session-Id', session)
    if (version !== undefined) headers.set('MCP-Protocol-Version', version)
    if (credential !== undefined && credential !== '') headers.set('Authorization', `Bearer ${credential}`)
    const body = JSON.stringify({ jsonrpc: '2.0', ...message })
    const response = await fetch(address, { method: 'POST', headers, body, signal, redirect: 'manual' }).catch(() => {
      throw new Unreachable('The server did not answer.', true)
    })
    if (response.ok) return response
    void response.body?.cancel().catch(() => undefined)
    closed = true
    throw new Unreachable(`The server answered ${response.status}.`, mayHaveActed(response.status))
  }
  return {
    ask: async (method, params, signal) => {
      const id = ++last
      const response = await post({ id, method, params }, signal)
      session ??= response.headers.get('mcp-session-id') ?? undefined
      const bytes = await bodyAtMost(response, MOST_BYTES).catch(() => undefined)
      if (bytes === undefined) throw new Unreachable('The answer broke off, or was too long.', true)
      const result = resultOf(Buffer.from(bytes).toString('utf8'), response.headers.get('content-type') ?? '', id)
      if (method === 'initialize' && typeof result['protocolVersion'] === 'string') version = result['protocolVersion']
      return result
    },
    tell: async (method, params = {}) => {
      const response = await post({ method, params }, AbortSignal.timeout(10_000))
      void response.body?.cancel().catch(() => undefined)
    },
    isClosed: () => closed,
    close: () => void (closed = true),
    release: () => undefined,
  }
}

/** A redirect, too: it may lead to what came of the request. A status of 4xx, but for a timeout, refuses it. */
const mayHaveActed = (status: number): boolean => status < 400 || status === 408 || status >= 500

/** The answer to a request, in JSON or among events. */
function resultOf(text: string, type: string, id: number): JsonObject {
  const texts = type.includes('text/event-stream')
    ? text
        .split(/\r?\n\r?\n/u)
        .map((event) => [...event.matchAll(/^data: ?(.*)$/gmu)].map(([, data]) => data).join('\n'))
    : [text]
  const answer = texts.map(upstreamMessage).find((message) => message?.id === id && message.method === undefined)
  if (answer === undefined) throw new Unreachable('The server gave no answer to the request.', true)
  return resultIn(answer)
}
