/** Consent of a person: an authorization code with PKCE, for one upstream system (RFC 6749, 7636, 8707, 9207). */
import type { Configuration, TokenEndpointResponse, TokenEndpointResponseHelpers } from 'openid-client'
import { present } from '../json/present.js'
import { parsedAddress } from '../../protocol/address.js'
import {
  assertSafeEndpoint,
  clientAt,
  configured,
  OtherIssuer,
  serverOf,
  type ConnectionClient,
  OFFLINE,
  type OwnClient,
} from './authorization-server.js'
import { NotConnected } from './asked-json.js'
import type { ConnectionSettings } from './settings.js'

/** A consent that is under way: kept for the browser that asks for it, and for no other. */
export interface ConsentUnderWay {
  readonly state: string
  readonly verifier: string
  readonly nonce?: string
  readonly redirectUri: string
  readonly issuer: string
  readonly resource?: string | undefined
  readonly client: ConnectionClient
  readonly scopes: readonly string[]
}

/** Tokens that opened an account. Without a refresh token the access token is all that there is. */
export interface ConnectionTokens {
  readonly client: ConnectionClient
  /** Resource that they are for. */
  readonly resource?: string | undefined
  readonly refresh_token?: string
  readonly access_token?: string
  /** ms since the epoch; undefined for an access token whose server does not say. */
  readonly expires_at?: number
}

export interface Consent {
  readonly account?: string
  readonly issuer: string
  readonly scopes: readonly string[]
  readonly tokens: ConnectionTokens & { readonly access_token: string }
}

/** Begins a consent: returns the address to open, and what is needed when the person comes back. */
export async function beginConsent(
  settings: ConnectionSettings,
  own: OwnClient,
  wanted: readonly string[] = [],
): Promise<{ readonly location: string; readonly underWay: ConsentUnderWay }> {
  const server = await serverOf(settings)
  const client = await clientAt(server, settings, own)
  const configuration = await configured(server, client)
  const openid = await import('openid-client')
  const scopes = askedScopes(settings, wanted, server.scopes)
  const verifier = openid.randomPKCECodeVerifier()
  const nonce = scopes.includes('openid') ? openid.randomNonce() : undefined
  const state = openid.randomState()
  const location = openid.buildAuthorizationUrl(configuration, {
    redirect_uri: own.redirectUri,
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
    ...(scopes.includes('offline_access') && { prompt: 'consent' }),
    ...(nonce !== undefined && { nonce }),
    ...resourceParameter(server),
  })
  assertSafeEndpoint(location.href)
  const { issuer } = server.metadata
  const { resource } = server
  return {
    location: location.href,
    underWay: present({ state, verifier, nonce, redirectUri: own.redirectUri, issuer, resource, client, scopes }),
  }
}

/** Scopes to ask for: the declared ones, and those that the upstream system wants, where it may. */
export const askedScopes = (
  { scopes, furtherScopes = [] }: ConnectionSettings,
  wanted: readonly string[] = [],
  asked: readonly string[] = [],
): readonly string[] => {
  const first = scopes.length > 0 ? [...scopes, ...asked.filter((scope) => scope === OFFLINE)] : asked
  return [...new Set([...first, ...wanted.filter((scope) => furtherScopes.includes(scope))])]
}

export const resourceParameter = ({ resource }: { readonly resource?: string | undefined }): Record<string, string> =>
  resource === undefined ? {} : { resource }

/** Takes the answer of the authorization server: for this consent, from this issuer, and no more than was asked for. */
export async function endConsent(
  settings: ConnectionSettings,
  underWay: ConsentUnderWay,
  answer: URLSearchParams,
  now: number,
): Promise<Consent> {
  const server = await serverOf(settings)
  if (server.metadata.issuer !== underWay.issuer) throw new OtherIssuer()
  const configuration = await configured(server, underWay.client)
  const given = await exchanged(configuration, callbackOf(settings, underWay, answer), underWay)
  const scopes = given.scope === undefined ? underWay.scopes : scopesIn(given.scope)
  const beyond = scopes.filter((scope) => !underWay.scopes.includes(scope))
  if (underWay.scopes.length > 0 && beyond.length > 0) {
    await revoked(configuration, given.refresh_token ?? given.access_token)
    throw new OtherScope()
  }
  const account = accountIn(given)
  const { client, resource } = underWay
  const tokens = { client, ...resourceParameter({ resource }), ...tokensIn(given, now) }
  return { issuer: underWay.issuer, scopes, tokens, ...(account !== undefined && { account }) }
}

const scopesIn = (scope: string): readonly string[] => scope.split(' ').filter((each) => each !== '')

/** Tokens of another scope than the person was asked for. */
export class OtherScope extends NotConnected {
  constructor() {
    super('The authorization server gave a scope that was not asked for.')
  }
}

/** Holds where a renewal gives a scope beyond all that people are asked for; a server may give one less, or name one again. */
export function scopesBeyond(
  settings: ConnectionSettings,
  given: readonly string[],
  renewed: string | undefined,
): boolean {
  const known = [...given, ...askedScopes(settings, settings.furtherScopes, [OFFLINE])]
  return given.length > 0 && renewed !== undefined && scopesIn(renewed).some((scope) => !known.includes(scope))
}

/** The issuer in an answer is compared with the metadata's (RFC 9207); without metadata, its origin with the endpoint's. */
function callbackOf(
  { authorizationUrl }: ConnectionSettings,
  { redirectUri }: ConsentUnderWay,
  answer: URLSearchParams,
): URL {
  const callback = new URL(redirectUri)
  callback.search = answer.toString()
  const named = callback.searchParams.get('iss')
  if (authorizationUrl === undefined || named === null) return callback
  if (parsedAddress(named)?.origin !== parsedAddress(authorizationUrl)?.origin)
    throw new NotConnected('The answer is of another authorization server.')
  callback.searchParams.delete('iss')
  return callback
}

type Given = TokenEndpointResponse & TokenEndpointResponseHelpers

async function exchanged(
  configuration: Configuration,
  callback: URL,
  { state, verifier, nonce, resource }: ConsentUnderWay,
): Promise<Given> {
  const openid = await import('openid-client')
  const checks = {
    pkceCodeVerifier: verifier,
    expectedState: state,
    ...(nonce !== undefined && { expectedNonce: nonce, idTokenExpected: true }),
  }
  const given = await openid.authorizationCodeGrant(configuration, callback, checks, resourceParameter({ resource }))
  if (given.token_type.toLowerCase() === 'bearer') return given
  throw new NotConnected('The authorization server gave a token of another type than Bearer.')
}

/** Tokens of an answer of a token endpoint. */
export const tokensIn = ({ access_token, refresh_token, expires_in }: TokenEndpointResponse, now: number) => ({
  access_token,
  ...(refresh_token !== undefined && { refresh_token }),
  ...(expires_in !== undefined && { expires_at: now + expires_in * 1000 }),
})

const ACCOUNT_CLAIMS = ['email', 'preferred_username', 'name', 'sub'] as const
const LONGEST_ACCOUNT = 200

/** A name for the account, from its ID token. */
function accountIn(given: Given): string | undefined {
  const claims = given.id_token === undefined ? undefined : given.claims()
  const found = ACCOUNT_CLAIMS.map((name) => claims?.[name]).find((value) => typeof value === 'string' && value !== '')
  return typeof found === 'string' ? found.replaceAll(/[\p{C}]/gu, '').slice(0, LONGEST_ACCOUNT) : undefined
}

/** Ends a token at its server, where that can be asked; nobody waits for an answer that does not come. */
export async function revoked(configuration: Configuration, token: string | undefined): Promise<boolean> {
  if (token === undefined || configuration.serverMetadata().revocation_endpoint === undefined) return false
  const openid = await import('openid-client')
  return openid.tokenRevocation(configuration, token).then(
    () => true,
    () => false,
  )
}
