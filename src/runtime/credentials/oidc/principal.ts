import type { Json, JsonObject } from '../../../protocol/manifest.js'
import { isPrincipal, type Principal } from '../../../protocol/principals.js'
import { claimedSubject } from './claimed-subject.js'
import type { OidcOptions } from './options.js'

/**
 * The principal behind verified claims (section 5.6): a configured service account, a verified e-mail address, else the
 * subject. An address counts character for character: `Ana@x.org` and `ana@x.org` are two principals. A subject is
 * percent-encoded where it holds what a principal may not, so that `human:ana` as a subject is `oidc:human%3Aana`.
 */
export function principalOf(options: OidcOptions, claims: JsonObject): Principal | undefined {
  const { serviceAccounts = {} } = options
  const sub = claimedSubject(options, claims)
  if (sub === undefined) return undefined
  if (Object.hasOwn(serviceAccounts, sub)) return serviceAccounts[sub]
  const principal = byEmail(options, claims) ?? bySubject(options, sub)
  return isPrincipal(principal) ? principal : undefined
}

/** Claims in which providers name the client of a token: OpenID Connect, RFC 9068, Okta, Entra ID. */
const CLIENT_CLAIMS = ['azp', 'client_id', 'cid', 'appid'] as const

/** The clients that a token names, whatever they are. */
const namedIn = (claims: JsonObject, names: readonly string[]): readonly Json[] =>
  names.flatMap((name) => (Object.hasOwn(claims, name) ? [claims[name]!] : []))

/**
 * Holds for a token that was made for the service itself or a client that counts. Where no clients are listed, `azp`
 * alone bounds: it is named where a token was made for another party than its audience.
 */
export function isForKnownClient({ audience, clients }: OidcOptions, claims: JsonObject): boolean {
  const known: readonly Json[] = [audience, ...(clients ?? [])]
  const bounding = clients === undefined ? (['azp'] as const) : CLIENT_CLAIMS
  return namedIn(claims, bounding).every((client) => known.includes(client))
}

/** The client that a token was given to, as an agent; undefined where the claims name none, or two. */
export function agentOf({ alias }: OidcOptions, claims: JsonObject): Principal | undefined {
  const named = new Set(namedIn(claims, CLIENT_CLAIMS))
  const [client] = named
  if (named.size !== 1 || typeof client !== 'string') return undefined
  const agent = `agent:${alias === undefined ? '' : `${alias}/`}${client}`
  return isPrincipal(agent) ? agent : undefined
}

/** The e-mail principal, where addresses count, this one is verified, and the provider vouches for its domain. */
function byEmail({ principal, emailDomains }: OidcOptions, { email, email_verified }: JsonObject): string | undefined {
  if (principal === 'sub' || email_verified !== true || !isAddress(email)) return undefined
  const domain = email.slice(email.indexOf('@') + 1).toLowerCase()
  return emailDomains === undefined || emailDomains.includes(domain) ? `human:${email}` : undefined
}

const bySubject = ({ principal, alias }: OidcOptions, sub: string): string | undefined =>
  principal === 'email' ? undefined : `oidc:${alias === undefined ? '' : `${alias}/`}${encodeURIComponent(sub)}`

const isAddress = (email: unknown): email is string =>
  typeof email === 'string' && /^[^\s@"<>]+@[^\s@"<>]+[^\s@"<>.]$/u.test(email)
