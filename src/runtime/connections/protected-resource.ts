/** Authorization server and scopes that an MCP server names (RFC 9728; MCP 2026-07-28, authorization). */
import { parsedAddress } from '../../protocol/address.js'
import type { JsonObject } from '../../protocol/manifest.js'
import type { ProviderFetch } from '../credentials/oidc/provider-fetch.js'
import { challengedScopes, challengeMember } from '../net/challenge.js'
import { askedJson, NotConnected, ASKED_WITHIN_MS } from './asked-json.js'

/** A resource as it describes itself. */
export interface ProtectedResource {
  readonly issuer: string
  readonly resource: string | undefined
  readonly scopes: readonly string[]
  /** Scopes that it names besides. */
  readonly further: readonly string[]
}

const WELL_KNOWN = '/.well-known/oauth-protected-resource'
const MOST_SCOPES = 50

/** Asks without a token; the metadata that the server names is its own, of its own origin, or it does not count. */
export async function protectedResource(fetch: ProviderFetch, address: string): Promise<ProtectedResource> {
  const challenge = await challengeOf(fetch, address)
  const { origin, pathname } = new URL(address)
  const named = challengeMember(challenge, 'resource_metadata')
  if (named !== undefined && parsedAddress(named)?.origin !== origin)
    throw new NotConnected('The MCP server names metadata of another host.')
  const path = pathname.replace(/\/$/u, '')
  for (const place of new Set([
    ...(named === undefined ? [] : [named]),
    origin + WELL_KNOWN + path,
    origin + WELL_KNOWN,
  ])) {
    const found = await askedJson(fetch, place).catch(() => undefined)
    if (found !== undefined) return described(found, address, challengedScopes(challenge))
  }
  // Before RFC 9728 an MCP server was its own authorization server (MCP 2025-03-26).
  return { issuer: origin, resource: undefined, scopes: challengedScopes(challenge), further: [] }
}

/** A request that no server answers without a token which it wants; some begin a session without one. */
const PROBE = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }

async function challengeOf(fetch: ProviderFetch, address: string): Promise<string | null> {
  const response = await probed(fetch, address)
  return response.status === 401 ? response.headers.get('www-authenticate') : null
}

/** Holds for a server that answers nothing without a token. */
export const wantsToken = async (fetch: ProviderFetch, address: string): Promise<boolean> =>
  (await probed(fetch, address)).status === 401

async function probed(fetch: ProviderFetch, address: string): Promise<Response> {
  const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
  const signal = AbortSignal.timeout(ASKED_WITHIN_MS)
  const response = await fetch(address, { method: 'POST', headers, signal, body: JSON.stringify(PROBE) })
  await response.body?.cancel()
  return response
}

function described(metadata: JsonObject, address: string, challenged: readonly string[]): ProtectedResource {
  const { resource, authorization_servers: servers, scopes_supported: supported } = metadata
  if (typeof resource !== 'string' || !isAt(resource, address))
    throw new NotConnected('The metadata of the MCP server is of another resource.')
  const issuer = Array.isArray(servers) ? servers[0] : undefined
  if (typeof issuer !== 'string') throw new NotConnected('The MCP server names no authorization server.')
  const known = Array.isArray(supported) ? supported.filter((scope) => typeof scope === 'string') : []
  const scopes = (challenged.length > 0 ? challenged : known).slice(0, MOST_SCOPES)
  const further = known.filter((scope) => !scopes.includes(scope)).slice(0, MOST_SCOPES)
  return { issuer, resource, scopes, further }
}

/** Holds for the address itself, and for an address above it of the same origin. */
function isAt(resource: string, address: string): boolean {
  const [named, own] = [parsedAddress(resource), new URL(address)]
  const above = named?.pathname.replace(/\/?$/u, '/') ?? ''
  return named?.origin === own.origin && own.pathname.replace(/\/?$/u, '/').startsWith(above)
}
