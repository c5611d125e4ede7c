import { claimedIssuer, verifyOidcToken, type OidcVerdict } from '../../../crypto/jws/oidc-token.js'
import type { JsonObject } from '../../../protocol/manifest.js'
import { refuse } from '../../errors/refusal.js'
import type { RuntimeLimits } from '../../limits.js'
import type { Bootstrap } from '../known.js'
import { entitled } from './entitlements.js'
import { issuerUrl, type OidcOptions } from './options.js'
import { principalOf } from './principal.js'
import { providerOf, type Provider } from './provider.js'

/** Members that only ID tokens have, and none that an access token has (OpenID Connect Core, section 2). */
const ID_TOKEN_MEMBERS = ['nonce', 'at_hash', 'c_hash', 's_hash'] as const

/** Types of access and ID tokens; everything else (logout tokens, DPoP proofs, ...) is for something else. */
const TYPES = { access: ['at+jwt', 'application/at+jwt', 'jwt', undefined], id: ['jwt', undefined] } as const

/** A bootstrap that takes tokens of an identity provider. Who else's token it is, it does not know (undefined). */
export function fromOidc(options: OidcOptions, now: () => number, limits: RuntimeLimits): Bootstrap {
  issuerUrl(options)
  const provider = providerOf(options, now)
  return async (bearer) => {
    if (claimedIssuer(bearer) !== options.issuer) return undefined
    const expected = { ...options, now: now(), toleranceSeconds: limits.clockToleranceSeconds }
    const verdict = await verified(bearer, provider, expected)
    if (!verdict.ok || !isMeantForHere(options, verdict.claims, verdict.typ)) return undefined
    const principal = principalOf(options, verdict.claims)
    if (principal === undefined) return undefined
    const identity = await entitled(options, verdict.claims, principal, limits.authenticateTimeoutMs)
    return identity && { ...identity, credential: { issuer: options.issuer, subject: String(verdict.claims['sub']) } }
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

function isMeantForHere(
  { tokens = 'access', audience, clients = [] }: OidcOptions,
  claims: JsonObject,
  typ: string | undefined,
): boolean {
  const types: readonly (string | undefined)[] = TYPES[tokens]
  if (!types.includes(typ?.toLowerCase()) || Object.hasOwn(claims, 'events') || Object.hasOwn(claims, 'htm'))
    return false
  if (tokens === 'access' && ID_TOKEN_MEMBERS.some((name) => Object.hasOwn(claims, name))) return false
  const { azp } = claims
  return azp === undefined || azp === audience || (typeof azp === 'string' && clients.includes(azp))
}
