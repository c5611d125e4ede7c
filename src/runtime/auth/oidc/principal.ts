import type { JsonObject } from '../../../protocol/manifest.js'
import { isPrincipal, type Principal } from '../../../protocol/principals.js'
import type { OidcOptions } from './options.js'

/**
 * The principal behind verified claims (section 5.6): a configured service account, a verified e-mail address, else the subject.
 * An address counts character for character: `Ana@x.org` and `ana@x.org` are two principals. A subject is percent-encoded where
 * it holds what a principal may not, so that `human:ana` as a subject is `oidc:human%3Aana`.
 */
export function principalOf({ serviceAccounts = {} }: OidcOptions, claims: JsonObject): Principal | undefined {
  const { sub, email, email_verified } = claims
  if (typeof sub !== 'string' || sub === '') return undefined
  if (Object.hasOwn(serviceAccounts, sub)) return serviceAccounts[sub]
  const principal = email_verified === true && isAddress(email) ? `human:${email}` : `oidc:${encodeSubject(sub)}`
  return isPrincipal(principal) ? principal : undefined
}

const isAddress = (email: unknown): email is string =>
  typeof email === 'string' && /^[^\s@"<>]+@[^\s@"<>]+[^\s@"<>.]$/u.test(email)

const encodeSubject = (sub: string): string => (/\p{Surrogate}/u.test(sub) ? '' : encodeURIComponent(sub))
