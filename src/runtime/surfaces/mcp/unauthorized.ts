import type { Failure } from '../../../protocol/failures.js'
import { atRoot, basePathOf } from '../../http/base-path.js'
import { challengeOf } from '../../http/challenge.js'
import { jsonResponse } from '../../http/response.js'
import type { HttpResponse } from '../../http/exchange.js'
import type { McpOptions } from './options.js'

/** Path for MCP clients, and the document by which they learn how to get a credential (RFC 9728, section 3.1). */
export const MCP_PATH = '/mcp'
export const METADATA_PATH = '/.well-known/oauth-protected-resource/mcp'

/**
 * Returns the resource for which MCP clients request tokens (RFC 8707); undefined if no public address is configured.
 */
export const resourceOf = ({ publicUrl }: McpOptions): string | undefined =>
  publicUrl === undefined ? undefined : originOf(publicUrl) + baseOf(publicUrl) + MCP_PATH

const originOf = (publicUrl: string): string => new URL('/', publicUrl).origin
const baseOf = (publicUrl: string): string => basePathOf(new URL('', publicUrl).pathname)

const metadataAddress = (publicUrl: string): string => originOf(publicUrl) + atRoot(METADATA_PATH, baseOf(publicUrl))

/** The protected resource metadata. It names the providers where their tokens count. */
export function metadataOf(options: McpOptions, providers: readonly { readonly issuer: string }[]): object | undefined {
  const resource = resourceOf(options)
  if (resource === undefined) return undefined
  const { profile } = options
  return {
    resource,
    ...(profile !== undefined && { authorization_servers: providers.map(({ issuer }) => issuer) }),
    ...(profile?.providerScopes !== undefined && { scopes_supported: profile.providerScopes }),
    bearer_methods_supported: ['header'],
  }
}

interface Refused {
  readonly status: number
  readonly retryAfter: number | undefined
  readonly authorization: string | null
}

/** A failure; a 401 with the address of the metadata (RFC 9728, section 5.1; RFC 6750, section 3). */
export function unauthorized(
  { publicUrl }: McpOptions,
  reason: Failure,
  { status, retryAfter, authorization }: Refused,
): HttpResponse {
  const metadata = publicUrl === undefined ? [] : [`resource_metadata="${metadataAddress(publicUrl)}"`]
  const body = JSON.stringify({ success: false, failure: reason })
  const headers = [
    ...challengeOf({ status, type: reason.type }, authorization, metadata),
    ...(retryAfter === undefined ? [] : ['retry-after', String(retryAfter)]),
  ]
  return jsonResponse(status, body, ...headers)
}
