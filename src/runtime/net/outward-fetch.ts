import { leavesByProxy } from './egress.js'
import { oneExchange } from './one-exchange.js'

/** `fetch` of a service behind: through the egress proxy of the environment where there is one for its host. */
export async function outwardFetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const url = new URL(input instanceof Request ? input.url : input)
  if (!leavesByProxy(url)) return fetch(input, init)
  const { method, headers, body, signal } = new Request(input, init)
  const content = body === null ? undefined : new Uint8Array(await new Response(body).arrayBuffer())
  const named = { ...Object.fromEntries(headers), ...(content && { 'content-length': String(content.byteLength) }) }
  return oneExchange(url, { method, headers: named, body: content, signal })
}
