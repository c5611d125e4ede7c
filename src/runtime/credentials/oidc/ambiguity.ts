import { asciiDomain } from '../../../protocol/fold.js'
import type { OidcOptions } from './options.js'

const ALIAS = /^[a-z0-9][a-z0-9-]{0,31}$/u
const CLAIM = /^[\x21-\x7e]{1,100}$/u
const DOMAIN = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/u

/** Holds for a domain in lower case; letters beside ASCII count as the ASCII that DNS has for them. */
const isDomain = (text: string): boolean => text === text.toLowerCase() && DOMAIN.test(asciiDomain(text))

/**
 * Returns the configurations by which two people of different providers could share a name, or one provider's people
 * have no reliable name (threat N02).
 */
export function ambiguousProviders(providers: readonly OidcOptions[]): readonly string[] {
  const issuers = new Set(providers.map(({ issuer }) => issuer))
  return [
    ...providers.flatMap(malformed),
    ...(issuers.size > 1 ? providers.flatMap(unnamed) : []),
    ...sharedBy(providers, 'alias', ({ alias }) => (alias === undefined ? [] : [alias])),
    ...sharedBy(providers, 'e-mail domain', ({ emailDomains = [] }) => emailDomains.map(asciiDomain)),
  ]
}

function malformed(provider: OidcOptions): readonly string[] {
  const { issuer, principal, subjectClaim, audienceClaim, alias, emailDomains = [] } = provider
  const domains = emailDomains.filter((domain) => !isDomain(domain))
  return [
    ...(principal === undefined || principal === 'email' || principal === 'sub'
      ? []
      : [`The OIDC provider ${issuer}: principal must be 'email' or 'sub', not ${JSON.stringify(principal)}.`]),
    ...(subjectClaim === undefined || (typeof subjectClaim === 'string' && CLAIM.test(subjectClaim))
      ? []
      : [
          `The OIDC provider ${issuer}: subjectClaim must name a claim, as 'oid', not ${JSON.stringify(subjectClaim)}.`,
        ]),
    ...(audienceClaim === undefined || audienceClaim === 'aud' || audienceClaim === 'client_id'
      ? []
      : [
          `The OIDC provider ${issuer}: audienceClaim must be 'aud' or 'client_id', not ` +
            `${JSON.stringify(audienceClaim)}.`,
        ]),
    ...(alias === undefined || ALIAS.test(alias)
      ? []
      : [`The OIDC provider ${issuer}: the alias ${JSON.stringify(alias)} must be 1 to 32 of a-z, 0-9 and - .`]),
    ...domains.map(
      (domain) =>
        `The OIDC provider ${issuer}: ${JSON.stringify(domain)} is no e-mail domain in lower case, as example.org.`,
    ),
  ]
}

/** With several providers a subject or an address alone says nothing: each vouches for its own. */
function unnamed({ issuer, principal, alias, emailDomains = [] }: OidcOptions): readonly string[] {
  return [
    ...(alias === undefined
      ? [`The OIDC provider ${issuer} needs an alias beside other providers: its people are oidc:<alias>/<sub>.`]
      : []),
    ...(principal !== 'sub' && emailDomains.length === 0
      ? [
          `The OIDC provider ${issuer} needs emailDomains beside other providers: the domains that it vouches ` +
            "for; or principal: 'sub'.",
        ]
      : []),
  ]
}

/** Finds values that two issuers both claim. */
function sharedBy(
  providers: readonly OidcOptions[],
  name: string,
  claimed: (provider: OidcOptions) => readonly string[],
): readonly string[] {
  const claims = providers.flatMap((provider) => claimed(provider).map((value) => ({ value, issuer: provider.issuer })))
  const twice = claims.filter(
    ({ value, issuer }, index) =>
      claims.findIndex((each) => each.value === value && each.issuer !== issuer) > -1 &&
      claims.findIndex((each) => each.value === value) === index,
  )
  return twice.map(({ value }) => `Two OIDC providers have the ${name} ${JSON.stringify(value)}: only one may.`)
}
