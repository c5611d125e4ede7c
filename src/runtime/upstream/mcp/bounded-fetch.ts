import type { FetchLike } from '@modelcontextprotocol/client'
import { outwardFetch } from '../../net/outward-fetch.js'
import { bodyAtMost } from '../../net/read-at-most.js'
import { MOST_BYTES, Unreachable, upstreamMessage } from './channel.js'
import { markedEvents } from './marked-events.js'
import { marked, noAnswerTo } from './no-answer.js'
import type { HeardEvents } from './unasked.js'

/**
 * Asks one origin alone, follows no redirect, and reads no message of more than 8 MiB, in which large numbers are marked.
 * A request whose response lacks its answer is answered with the error `NO_ANSWER`: the library would wait for one. A
 * stream of events that no request began is opened only where `opensStream`; what comes unasked is bounded.
 */
export const boundedFetch =
  (address: URL, opensStream: () => boolean, heard: HeardEvents): FetchLike =>
  async (input, init) => {
    if (new URL(input).origin !== address.origin) throw new Unreachable('The server leads elsewhere.', false)
    if (init?.method === 'GET' && !opensStream() && !new Headers(init.headers).has('last-event-id'))
      return new Response(null, { status: 405 })
    const sent = typeof init?.body === 'string' ? upstreamMessage(init.body) : undefined
    const id = sent?.id
    if (id !== undefined && sent?.method !== undefined) heard.asks(id)
    const response = await outwardFetch(input, { ...init, redirect: 'manual' })
    if (response.body === null) return response
    const { status, statusText, headers } = response
    const body = isEvents(response) ? markedEvents(response.body, id, heard) : await markedBody(response, id, heard)
    return new Response(body, { status, statusText, headers })
  }

const isEvents = ({ headers }: Response): boolean =>
  (headers.get('content-type') ?? '').toLowerCase().includes('text/event-stream')

async function markedBody(response: Response, id: unknown, heard: HeardEvents): Promise<string> {
  const bytes = await bodyAtMost(response, MOST_BYTES).catch(() => undefined)
  if (bytes === undefined) throw new Unreachable('The answer broke off, or was too long.', true)
  const text = marked(Buffer.from(bytes).toString('utf8'))
  const message = response.ok ? upstreamMessage(text) : undefined
  if (message?.id === id) heard.settles(id)
  return message === undefined || id === undefined || message.id === id ? text : noAnswerTo(id)
}
