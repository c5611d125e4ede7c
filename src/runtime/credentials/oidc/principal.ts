import type { Json, JsonObject } from '../../../protocol/manifest.js'
import { isPrincipal, type Principal } from '../../../protocol/principals.js'
import { asciiDomain } from '../../../protocol/fold.js'
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
 * Returns the claim that names another client than the service itself and those that count. Where no clients are
 * listed, `azp` alone bounds: it is named where a token was made for another party than its audience.
 */
export function otherClient({ audience, clients }: OidcOptions, claims: JsonObject): string | undefined {
  const known: readonly Json[] = [audience, ...(clients ?? [])]
  const bounding = clients === undefined ? (['azp'] as const) : CLIENT_CLAIMS
  return bounding.find((name) => Object.hasOwn(claims, name) && !known.includes(claims[name]!))
}

/** Returns the claim that keeps a token from naming somebody. */
export function unnamedBy(options: OidcOptions, claims: JsonObject): string {
  const { principal, subjectClaim = 'sub' } = options
  if (claimedSubject(options, claims) === undefined || principal !== 'email') return subjectClaim
  return isVerified(claims) || !isAddress(claims['email']) ? 'email' : 'email_verified'
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
function byEmail({ principal, emailDomains }: OidcOptions, claims: JsonObject): string | undefined {
  const { email } = claims
  if (principal === 'sub' || !isVerified(claims) || !isAddress(email)) return undefined
  const domain = asciiDomain(email.slice(email.indexOf('@') + 1))
  return emailDomains === undefined || emailDomains.map(asciiDomain).includes(domain) ? `human:${email}` : undefined
}

/** Some providers write it as text, as Cognito does. */
const isVerified = ({ email_verified: verified }: JsonObject): boolean => verified === true || verified === 'true'

const bySubject = ({ principal, alias }: OidcOptions, sub: string): string | undefined =>
  principal === 'email' ? undefined : `oidc:${alias === undefined ? '' : `${alias}/`}${encodeURIComponent(sub)}`

const isAddress = (email: unknown): email is string =>
  typeof email === 'string' && /^[^\s@"<>]+@[^\s@"<>]+[^\s@"<>.]$/u.test(email)
