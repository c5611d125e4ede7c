/** Authorization servers of upstream systems, and this service as a client there (RFC 8414, 7591; MCP 2026-07-28). */
import type { ClientAuth, Configuration, CustomFetch, ServerMetadata } from 'openid-client'
import { isRecord } from '../../crypto/json/kinds.js'
import { parseStrictJson } from '../../crypto/json/strict-json.js'
import { parsedAddress } from '../../protocol/address.js'
import type { JsonObject } from '../../protocol/manifest.js'
import { providerFetch, type ProviderFetch } from '../credentials/oidc/provider-fetch.js'
import { bodyAtMost } from '../net/read-at-most.js'
import { secondsToWait } from '../net/retry-after.js'
import { askedJson, MOST_METADATA_BYTES, NotConnected, ASKED_WITHIN_MS } from './asked-json.js'
import { protectedResource, wantsToken } from './protected-resource.js'
import type { ConnectionSettings } from './settings.js'

/** An authorization server that is reached within bounds: addresses, bytes, time, redirects. */
export interface AuthorizationServer {
  readonly metadata: ServerMetadata & JsonObject
  readonly fetch: ProviderFetch
  /** Resource that tokens are for (RFC 8707). */
  readonly resource?: string | undefined
  /** Scopes that the resource asks for, where the settings name none. */
  readonly scopes?: readonly string[]
  /** Scopes that the resource names besides. */
  readonly further?: readonly string[]
}

/** Authorization server of a connection that is another one now: the account is to be connected again. */
export class OtherIssuer extends NotConnected {
  constructor() {
    super('The authorization server is another one now.')
  }
}

class NoMetadata extends NotConnected {}

/** This service as a client; each registration is a connection's own. */
export interface ConnectionClient {
  readonly id: string
  readonly secret?: string
  readonly method: ClientMethod
}

export const CLIENT_METHODS = ['none', 'client_secret_basic', 'client_secret_post'] as const
export type ClientMethod = (typeof CLIENT_METHODS)[number]

/** The client metadata document of this service, and where its people come back to. */
export interface OwnClient {
  readonly documentUrl: string
  readonly redirectUri: string
  readonly name: string
  /** A program of a person, which they come back to on a loopback address (RFC 8252). */
  readonly isNative?: true
}

/** Reads the metadata of the server that the settings name, or that the MCP server at their address names. */
export async function serverOf(settings: ConnectionSettings): Promise<AuthorizationServer> {
  const { address, issuer, tokenUrl, resource } = settings
  if (address !== undefined) return serverOfResource({ ...settings, address })
  const named = assertSafeEndpoint(issuer ?? originOf(tokenUrl ?? ''))
  const fetch = providerFetch({ issuer: named, audience: '' })
  const metadata = issuer === undefined ? givenMetadata(named, settings) : await metadataOf(fetch, issuer)
  return { metadata, fetch, resource }
}

/** Reads what an MCP server names: it is as public as the server itself, unless the settings name it. */
async function serverOfResource(settings: ConnectionSettings & { readonly address: string }) {
  const fetch = providerFetch({ issuer: assertSafeEndpoint(settings.address), audience: '' })
  const found = await protectedResource(fetch, settings.address)
  const { issuer = found.issuer, resource = found.resource } = settings
  const own =
    settings.issuer === undefined ? fetch : providerFetch({ issuer: assertSafeEndpoint(issuer), audience: '' })
  const metadata = await metadataOf(own, assertSafeEndpoint(issuer))
  return { metadata, fetch: own, resource, scopes: withOffline(found.scopes, metadata), further: found.further }
}

/** Returns the authorization server that an MCP server names; undefined if it wants no token, or names no server. */
export async function serverBehind(address: string): Promise<AuthorizationServer | undefined> {
  if (!isSafeEndpoint(address)) return undefined
  const fetch = providerFetch({ issuer: address, audience: '' })
  if (!(await wantsToken(fetch, address))) return undefined
  return serverOf({ address, scopes: [] }).catch((error: unknown) => {
    if (error instanceof NoMetadata) return undefined
    throw error
  })
}

export const OFFLINE = 'offline_access'

/** Adds the scope for refresh tokens, if the authorization server has it. */
function withOffline(scopes: readonly string[], { scopes_supported: known }: ServerMetadata): readonly string[] {
  const isKnown = Array.isArray(known) && known.includes(OFFLINE) && !scopes.includes(OFFLINE)
  return isKnown ? [...scopes, OFFLINE] : scopes
}

async function metadataOf(fetch: ProviderFetch, issuer: string): Promise<ServerMetadata & JsonObject> {
  for (const address of metadataAddresses(issuer)) {
    const found = await askedJson(fetch, address).catch(() => undefined)
    if (found === undefined) continue
    if (withoutSlash(found['issuer']) !== withoutSlash(issuer))
      throw new NotConnected(`The authorization server ${issuer} has metadata of another issuer.`)
    return checked(found as ServerMetadata & JsonObject)
  }
  throw new NoMetadata(`The authorization server ${issuer} gives no metadata.`)
}

/** An issuer that is named by the address of its metadata may have a slash more. */
const withoutSlash = (issuer: unknown): unknown => (typeof issuer === 'string' ? issuer.replace(/\/$/u, '') : issuer)

const originOf = (address: string): string => parsedAddress(address)?.origin ?? address

const LOOPBACK = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/u

function isSafeEndpoint(address: string): boolean {
  const url = parsedAddress(address)
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.test(url.hostname))
  return isSafe && url.username === '' && url.hash === ''
}

/** Returns an address to which secrets may go: https, or a loopback address. */
export function assertSafeEndpoint(address: string): string {
  if (isSafeEndpoint(address)) return address
  throw new NotConnected('An address of the authorization server is not https, or a loopback address.')
}

/** Below or before the path of the issuer (RFC 8414, section 3.1; OpenID Connect Discovery, section 4). */
function metadataAddresses(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer)
  const path = pathname.replace(/\/$/u, '')
  const [oauth, openid] = ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration']
  return [...new Set([origin + oauth + path, origin + openid + path, origin + path + openid])]
}

const givenMetadata = (issuer: string, { authorizationUrl, tokenUrl }: ConnectionSettings) =>
  checked({ issuer, authorization_endpoint: authorizationUrl ?? '', token_endpoint: tokenUrl ?? '' })

const ENDPOINTS = ['authorization_endpoint', 'token_endpoint', 'registration_endpoint', 'revocation_endpoint'] as const

function checked<Metadata extends ServerMetadata & JsonObject>(metadata: Metadata): Metadata {
  for (const name of ENDPOINTS) {
    const address: unknown = metadata[name]
    const isNeeded = name === 'authorization_endpoint' || name === 'token_endpoint'
    if (address !== undefined || isNeeded) assertSafeEndpoint(typeof address === 'string' ? address : '')
  }
  const methods: unknown = metadata['code_challenge_methods_supported']
  if (Array.isArray(methods) && !methods.includes('S256'))
    throw new NotConnected('The authorization server does not take PKCE with S256.')
  return metadata
}

/** Returns this service as a client: the configured one, else its metadata document, else one that is registered. */
export async function clientAt(
  { metadata, fetch }: AuthorizationServer,
  { clientId, clientSecret }: ConnectionSettings,
  own: OwnClient,
): Promise<ConnectionClient> {
  if (clientId !== undefined && clientId !== '') {
    const isPublic = clientSecret === undefined || clientSecret === ''
    return isPublic ? publicClient(clientId) : secretClient(clientId, clientSecret, methodsOf(metadata))
  }
  const takesDocuments = metadata['client_id_metadata_document_supported'] === true
  if (takesDocuments && own.documentUrl.startsWith('https:')) return publicClient(own.documentUrl)
  const { registration_endpoint } = metadata
  if (registration_endpoint === undefined)
    throw new NotConnected('The authorization server registers no clients. Configure a client id of this service.')
  const methods = methodsOf(metadata)
  const method = methods.includes('none') ? 'none' : methods[0]!
  const given = await askedJson(fetch, registration_endpoint, clientMetadata(own, method))
  return registered(given, method)
}

/** Returns the metadata of this service as a client (RFC 7591, section 2). */
export const clientMetadata = ({ redirectUri, name, isNative }: OwnClient, method: ClientMethod) => ({
  client_name: name,
  redirect_uris: [redirectUri],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  application_type: isNative === true ? 'native' : 'web',
  token_endpoint_auth_method: method,
})

const publicClient = (id: string): ConnectionClient => ({ id, method: 'none' })

const secretClient = (id: string, secret: string, methods: readonly ClientMethod[]): ConnectionClient => ({
  id,
  secret,
  method: methods.find((method) => method !== 'none') ?? 'client_secret_basic',
})

/** Methods that both sides know; `client_secret_basic` where the server names none (RFC 8414, section 2). */
function methodsOf(metadata: JsonObject): readonly ClientMethod[] {
  const named: unknown = metadata['token_endpoint_auth_methods_supported'] ?? ['client_secret_basic']
  const known = CLIENT_METHODS.filter((method) => Array.isArray(named) && named.includes(method))
  if (known.length > 0) return known
  throw new NotConnected('The authorization server takes no way of this client to prove itself.')
}

function registered(given: JsonObject | undefined, asked: ClientMethod): ConnectionClient {
  const { client_id, client_secret, token_endpoint_auth_method: method = asked } = given ?? {}
  const known = CLIENT_METHODS.find((each) => each === method)
  if (typeof client_id !== 'string' || known === undefined)
    throw new NotConnected('The authorization server did not register this service.')
  if (known === 'none') return publicClient(client_id)
  if (typeof client_secret !== 'string') throw new NotConnected('The authorization server gave the client no secret.')
  return { id: client_id, secret: client_secret, method: known }
}

/** Fate of the last request to the token endpoint: only one that was never sent, or put off, changed nothing. */
export interface Exchange {
  isSent: boolean
  status?: number
  /** Seconds until it may be sent again. */
  wait?: number | undefined
  /** Error code of a refusal (RFC 6749, section 5.2). */
  code?: unknown
}

/** The library's view of server and client. */
export async function configured(
  { metadata, fetch }: AuthorizationServer,
  client: ConnectionClient,
  exchange: Exchange = { isSent: false },
): Promise<Configuration> {
  const openid = await import('openid-client')
  const proof = {
    none: () => openid.None(),
    client_secret_basic: () => basicProof(client),
    client_secret_post: () => openid.ClientSecretPost(client.secret),
  }[client.method]()
  const configuration = new openid.Configuration(metadata, client.id, undefined, proof)
  configuration.timeout = ASKED_WITHIN_MS / 1000
  configuration[openid.customFetch] = boundedBy(fetch, exchange)
  if (metadata.issuer.startsWith('http:')) openid.allowInsecureRequests(configuration)
  return configuration
}

/** The library escapes what a form does not, such as `-` (RFC 6749, section 2.3.1); some servers compare that as it is. */
const basicProof =
  ({ id, secret = '' }: ConnectionClient): ClientAuth =>
  (_server, _client, _body, headers) => {
    const pair = [id, secret].map((each) => new URLSearchParams([['', each]]).toString().slice(1)).join(':')
    headers.set('authorization', `Basic ${Buffer.from(pair).toString('base64')}`)
  }

const boundedBy =
  (fetch: ProviderFetch, exchange: Exchange): CustomFetch =>
  async (url, { method, headers, body, signal = AbortSignal.timeout(ASKED_WITHIN_MS) }) => {
    assertSafeEndpoint(url)
    exchange.isSent = true
    const response = await fetch(url, {
      method,
      headers,
      signal,
      ...(body ? { body: String(body as URLSearchParams) } : {}),
    })
    exchange.status = response.status
    exchange.wait = secondsToWait(response.headers.get('retry-after'), response.headers.get('date'))
    const bytes = await bodyAtMost(response, MOST_METADATA_BYTES)
    if (bytes === undefined)
      throw new NotConnected(`The authorization server answered more than ${MOST_METADATA_BYTES} bytes.`)
    if (response.status >= 400 && response.status < 500) exchange.code = codeIn(bytes)
    const hasBody = ![101, 204, 205, 304].includes(response.status)
    return new Response(hasBody ? new Uint8Array(bytes) : null, { status: response.status, headers: response.headers })
  }

function codeIn(bytes: Uint8Array): unknown {
  const json = parseStrictJson(bytes)
  return json.ok && isRecord(json.value) ? json.value['error'] : undefined
}
