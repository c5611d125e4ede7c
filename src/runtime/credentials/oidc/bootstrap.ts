import { claimedIssuer, verifyOidcToken, type OidcVerdict } from '../../../crypto/jws/oidc-token.js'
import type { JsonObject } from '../../../protocol/manifest.js'
import { refuse } from '../../errors/refusal.js'
import type { RuntimeLimits } from '../../limits.js'
import type { IdentityProvider, Known } from '../known.js'
import { entitled } from './entitlements.js'
import { assertSafe, type OidcOptions } from './options.js'
import { agentOf, principalOf } from './principal.js'
import { providerFetch } from './provider-fetch.js'
import { providerOf, type Provider } from './provider.js'
import { SYSTEM, type Network } from './reach.js'

/** Members that only ID tokens have, and none that an access token has (OpenID Connect Core, section 2). */
const ID_TOKEN_MEMBERS = ['nonce', 'at_hash', 'c_hash', 's_hash'] as const

/** Types of access and ID tokens; everything else (logout tokens, DPoP proofs, ...) is for something else. */
const TYPES = { access: ['at+jwt', 'application/at+jwt', 'jwt', undefined], id: ['jwt', undefined] } as const

/** An identity provider that is trusted to say who calls (section 5.6). */
export function identityProvider(
  options: OidcOptions,
  now: () => number,
  limits: RuntimeLimits,
  network: Network = SYSTEM,
): IdentityProvider {
  assertSafe(options)
  const fetch = providerFetch(options, network)
  const provider = providerOf(options, now, fetch)
  const claimsFor = async (bearer: string, wanted: OidcOptions, isMeantFor: typeof isMeantForHere) => {
    if (claimedIssuer(bearer) !== options.issuer) return undefined
    const expected = { ...wanted, now: now(), toleranceSeconds: limits.clockToleranceSeconds }
    const verdict = await verified(bearer, provider, expected)
    return verdict.ok && isMeantFor(wanted, verdict.claims, verdict.typ) ? verdict.claims : undefined
  }
  const identityIn = async (claims: JsonObject): Promise<Known | undefined> => {
    const principal = principalOf(options, claims)
    if (principal === undefined) return undefined
    const identity = await entitled(options, claims, principal, limits.authenticateTimeoutMs)
    return identity && { ...identity, credential: { issuer: options.issuer, subject: String(claims['sub']) } }
  }
  return {
    issuer: options.issuer,
    fetch,
    bootstrap: async (bearer) => {
      const claims = await claimsFor(bearer, options, isMeantForHere)
      return claims && identityIn(claims)
    },
    signedIn: async (bearer, resource) => {
      const claims = await claimsFor(bearer, { ...options, audience: resource, tokens: 'access' }, isOfItsKind)
      const agent = claims && agentOf(options, claims)
      const identity = agent && (await identityIn(claims))
      return identity && { identity, agent, expiresAt: Number(claims['exp']) }
    },
    vouchedFor: async (idToken, clientId) => {
      const claims = await claimsFor(
        idToken,
        { ...options, audience: clientId, clients: [], tokens: 'id' },
        isMeantForHere,
      )
      return claims && identityIn(claims)
    },
  }
}

type Expected = OidcOptions & { readonly now: number; readonly toleranceSeconds: number }

async function verified(bearer: string, provider: Provider, expected: Expected): Promise<OidcVerdict> {
  const keys = (await provider.keys()) ?? unavailable()
  const verdict = await verifyOidcToken(bearer, { ...expected, keys })
  if (verdict.ok || verdict.reason !== 'unknown_key') return verdict
  return verifyOidcToken(bearer, { ...expected, keys: (await provider.newerKeys()) ?? unavailable() })
}

const unavailable = (): never => refuse('service_unavailable', 'The identity provider does not answer.')

/** Holds for a token that was made for this service, by itself or for a client that counts (section 5.6). */
function isMeantForHere(options: OidcOptions, claims: JsonObject, typ: string | undefined): boolean {
  const { audience, clients = [] } = options
  const { azp } = claims
  const isForUs = azp === undefined || azp === audience || (typeof azp === 'string' && clients.includes(azp))
  return isForUs && isOfItsKind(options, claims, typ)
}

function isOfItsKind({ tokens = 'access' }: OidcOptions, claims: JsonObject, typ: string | undefined): boolean {
  const types: readonly (string | undefined)[] = TYPES[tokens]
  if (!types.includes(typ?.toLowerCase()) || Object.hasOwn(claims, 'events') || Object.hasOwn(claims, 'htm'))
    return false
  return tokens !== 'access' || !ID_TOKEN_MEMBERS.some((name) => Object.hasOwn(claims, name))
}
