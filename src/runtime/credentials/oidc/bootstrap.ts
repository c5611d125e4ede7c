import { claimedIssuer, verifyOidcToken, type OidcVerdict } from '../../../crypto/jws/oidc-token.js'
import type { JsonObject } from '../../../protocol/manifest.js'
import type { Log } from '../../definition.js'
import { failure, type FailureType } from '../../../protocol/failures.js'
import { refuse, Refusal } from '../../errors/refusal.js'
import type { Alarms } from '../../telemetry/alarms.js'
import type { RuntimeLimits } from '../../limits.js'
import type { IdentityProvider, Known } from '../known.js'
import { entitled } from './entitlements.js'
import { assertSafe, type OidcOptions } from './options.js'
import { actingBy } from './actor.js'
import { claimedSubject } from './claimed-subject.js'
import { agentOf, otherClient, principalOf, unnamedBy } from './principal.js'
import { providerFetch } from './provider-fetch.js'
import { providerOf, type Provider } from './provider.js'
import { SYSTEM, type Network } from './reach.js'
import { signInLog } from './refused-sign-in.js'
import { otherKind } from './token-kind.js'

/** Settings of a provider: the time, bounds, and the operator's log. */
export interface ProviderSetting {
  readonly now: () => number
  readonly limits: RuntimeLimits
  readonly log: Log
  readonly alarms: Pick<Alarms, 'add' | 'clear'>
  readonly network?: Network
}

/** An identity provider that is trusted to say who calls (section 5.6). */
export function identityProvider(options: OidcOptions, setting: ProviderSetting): IdentityProvider {
  const { now, limits, log, network = SYSTEM } = setting
  assertSafe(options)
  const fetch = providerFetch(options, network)
  const provider = providerOf(options, { ...setting, fetch })
  const signIns = signInLog(options.issuer, log, now)
  const claimsFor = async (bearer: string, { wanted, otherwise, expired }: Wanted): Promise<JsonObject | undefined> => {
    if (claimedIssuer(bearer) !== options.issuer) return undefined
    const verdict = await verified(bearer, provider, wanted, { now: now(), tolerance: limits.clockToleranceSeconds })
    const failed = verdict.ok ? otherwise(wanted, verdict.claims, verdict.typ) : verdict.failed
    if (verdict.ok && failed === undefined) return verdict.claims
    signIns.refused(failed!, verdict.ok ? verdict.claims : undefined)
    // Its signature is good: it is no guess, and a client that is told so renews it.
    return failed === 'exp' ? refuse(expired, 'The sign-in has expired. Sign in again.') : undefined
  }
  const identityIn = async (claims: JsonObject): Promise<Known | undefined> => {
    signIns.cut(claims)
    const principal = principalOf(options, claims)
    const subject = claimedSubject(options, claims)
    if (principal === undefined || subject === undefined) return signIns.refused(unnamedBy(options, claims), claims)
    const acting = actingBy(options, claims)
    if (acting === undefined) return signIns.refused('act', claims)
    const bounds = { timeoutMs: limits.authenticateTimeoutMs, log }
    const identity = await entitled(options, claims, principal, bounds)
    if (identity === undefined) return signIns.refused('entitlements', claims)
    return { ...identity, credential: { issuer: options.issuer, subject }, ...acting }
  }
  const wantedHere: Wanted = { wanted: options, otherwise: notMeantForHere, expired: 'authentication_required' }
  return {
    issuer: options.issuer,
    fetch,
    bootstrap: async (bearer) => {
      const claims = await claimsFor(bearer, wantedHere)
      return claims && identityIn(claims)
    },
    signedIn: async (bearer, resource) => {
      const wanted = { ...options, audience: resource, audienceClaim: 'aud', tokens: 'access' } as const
      const claims = await claimsFor(bearer, { wanted, otherwise: otherKind, expired: 'invalid_token' })
      const client = claims && agentOf(options, claims)
      if (claims !== undefined && client === undefined) return signIns.refused('azp', claims)
      const identity = claims && (await identityIn(claims))
      return identity && { identity, agent: identity.actor ?? client!, expiresAt: Number(claims['exp']) }
    },
    vouchedFor: async (idToken, clientId) => {
      const wanted = { ...options, audience: clientId, audienceClaim: 'aud', clients: [], tokens: 'id' } as const
      const claims = await claimsFor(idToken, { ...wantedHere, wanted })
      return claims && identityIn(claims)
    },
  }
}

/** Expectations of a token beside its signature. */
interface Wanted {
  readonly wanted: OidcOptions
  /** Returns the claim by which a token is not the one that is wanted. */
  readonly otherwise: (options: OidcOptions, claims: JsonObject, typ: string | undefined) => string | undefined
  /** Failure of a token that has expired. */
  readonly expired: FailureType
}

async function verified(
  bearer: string,
  provider: Provider,
  { issuer, audience, audienceClaim = 'aud' }: OidcOptions,
  { now, tolerance }: { readonly now: number; readonly tolerance: number },
): Promise<OidcVerdict> {
  const expected = {
    issuer,
    audience: audienceClaim === 'aud' ? audience : undefined,
    now,
    toleranceSeconds: tolerance,
  }
  const keys = (await provider.keys()) ?? unavailable(provider)
  const verdict = await verifyOidcToken(bearer, { ...expected, keys })
  if (verdict.ok || verdict.failed !== 'kid') return verdict
  return verifyOidcToken(bearer, { ...expected, keys: (await provider.newerKeys()) ?? unavailable(provider) })
}

function unavailable(provider: Provider): never {
  throw new Refusal(failure('service_unavailable', 'The identity provider does not answer.'), {
    retryAfter: provider.secondsToWait(),
  })
}

/** Returns the claim by which a token was made for another service, client or purpose (section 5.6). */
const notMeantForHere = (options: OidcOptions, claims: JsonObject, typ: string | undefined): string | undefined =>
  otherAudience(options, claims) ?? otherClient(options, claims) ?? otherKind(options, claims, typ)

/** A token that names its audience is judged by that alone, whichever client it was given to. */
function otherAudience({ audience, audienceClaim = 'aud' }: OidcOptions, claims: JsonObject): string | undefined {
  if (audienceClaim === 'aud') return undefined
  if (Object.hasOwn(claims, 'aud')) return 'aud'
  return claims[audienceClaim] === audience ? undefined : audienceClaim
}
