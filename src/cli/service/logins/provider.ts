/** The identity provider as `svc login` meets it: a public client (RFC 8252, section 8.4). */
import type { Configuration, TokenEndpointResponse, TokenEndpointResponseHelpers } from 'openid-client'
import { parsedAddress } from '../../../protocol/address.js'
import { isLoopback } from '../../../runtime/net/loopback.js'
import { CliError } from '../../shared/errors/cli-error.js'
import { printable } from '../../shared/output/printable.js'
import type { Login, SentToken } from './logins.js'

/** Whom to sign in at, and for what. */
export interface Client {
  readonly issuer: string
  readonly clientId: string
  readonly scope?: string
  readonly resource?: string
  readonly send?: SentToken
}

export type ProviderTokens = TokenEndpointResponse & TokenEndpointResponseHelpers

const TIMEOUT_S = 10

/** Reads the provider's own description; tokens come over https, or from this machine. */
export async function configurationOf({ issuer, clientId }: Client): Promise<Configuration> {
  const url = parsedAddress(issuer)
  if (url === undefined || !/^https?:$/u.test(url.protocol))
    throw new CliError(`The issuer ${JSON.stringify(issuer)} is not an address such as https://sso.example.com.`)
  const isInsecure = url.protocol === 'http:'
  if (isInsecure && !isLoopback(issuer))
    throw new CliError(`The issuer ${JSON.stringify(issuer)} would send tokens in the clear; use https.`)
  const openid = await import('openid-client')
  const execute = isInsecure ? [openid.allowInsecureRequests] : []
  return openid
    .discovery(url, clientId, undefined, openid.None(), { execute, timeout: TIMEOUT_S })
    .catch((error: unknown) => refuseSignIn(error))
}

/** Returns the OpenID scope to request: the identity, and offline access if the provider offers it. */
export function askedScope(configuration: Configuration, { scope }: Client): string {
  if (scope !== undefined) return scope
  const offered = configuration.serverMetadata().scopes_supported ?? []
  return ['openid', 'email', ...(offered.includes('offline_access') ? ['offline_access'] : [])].join(' ')
}

/** OpenID Connect gives `offline_access` only to whom the person was asked about (Core, section 11). */
export const askedParameters = (configuration: Configuration, client: Client): Record<string, string> => {
  const scope = askedScope(configuration, client)
  return {
    scope,
    ...(scope.split(' ').includes('offline_access') && { prompt: 'consent' }),
    ...(client.resource !== undefined && { resource: client.resource }),
  }
}

const HOUR_S = 3600

/** Returns the login to keep: the token that the service accepts, and the refresh token. */
export function loginFrom(client: Client, tokens: ProviderTokens, last?: Login): Login {
  const send = client.send ?? (isJwt(tokens.access_token) ? 'access' : 'id')
  const credential = send === 'access' ? tokens.access_token : tokens.id_token
  if (credential === undefined)
    throw new CliError(`The identity provider gave no ${send} token. --send and --scope say what is asked for.`)
  const refresh_token = tokens.refresh_token ?? last?.refresh_token
  const lives = send === 'id' ? (tokens.claims()?.exp ?? 0) * 1000 : Date.now() + (tokens.expiresIn() ?? HOUR_S) * 1000
  return {
    issuer: client.issuer,
    client_id: client.clientId,
    send,
    ...(client.resource !== undefined && { resource: client.resource }),
    credential,
    ...(refresh_token !== undefined && { refresh_token }),
    expires_at: new Date(lives).toISOString(),
  }
}

const isJwt = (token: string): boolean => token.split('.').length === 3

/** The name of the error and what the provider says about it; never what was sent. */
export function refuseSignIn(error: unknown): never {
  if (error instanceof CliError) throw error
  const {
    error: code,
    error_description: text,
    message,
  } = error as { readonly [name in 'error' | 'error_description' | 'message']?: string }
  const said = [code ?? message ?? String(error), text ?? ''].filter((part) => part !== '').join(': ')
  throw new CliError(`The sign-in did not succeed: ${printable(said)}. Check --issuer and --client-id, and try again.`)
}
