import { claimedIssuer, verifyOidcToken, type OidcVerdict } from '../../../crypto/jws/oidc-token.js'
import type { JsonObject } from '../../../protocol/manifest.js'
import type { Log } from '../../definition.js'
import { refuse } from '../../errors/refusal.js'
import type { Alarms } from '../../telemetry/alarms.js'
import type { RuntimeLimits } from '../../limits.js'
import type { IdentityProvider, Known } from '../known.js'
import { entitled } from './entitlements.js'
import { assertSafe, type OidcOptions } from './options.js'
import { actingBy } from './actor.js'
import { claimedSubject } from './claimed-subject.js'
import { agentOf, isForKnownClient, principalOf } from './principal.js'
import { providerFetch } from './provider-fetch.js'
import { providerOf, type Provider } from './provider.js'
import { SYSTEM, type Network } from './reach.js'
import { isOfItsKind } from './token-kind.js'

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
  const claimsFor = async (bearer: string, wanted: OidcOptions, isMeantFor: typeof isMeantForHere) => {
    if (claimedIssuer(bearer) !== options.issuer) return undefined
    const expected = { ...wanted, now: now(), toleranceSeconds: limits.clockToleranceSeconds }
    const verdict = await verified(bearer, provider, expected)
    if (!verdict.ok) return undefined
    if (isMeantFor(wanted, verdict.claims, verdict.typ)) return verdict.claims
    log.info('A token of the identity provider is of another kind, or for another client, and does not count.', {
      issuer: options.issuer,
      claims: Object.keys(verdict.claims)
        .slice(0, MOST_NAMES)
        .map((name) => name.slice(0, LONGEST_NAME)),
    })
    return undefined
  }
  const identityIn = async (claims: JsonObject): Promise<Known | undefined> => {
    const principal = principalOf(options, claims)
    const subject = claimedSubject(options, claims)
    const acting = actingBy(options, claims)
    if (principal === undefined || subject === undefined || acting === undefined) return undefined
    const bounds = { timeoutMs: limits.authenticateTimeoutMs, log }
    const identity = await entitled(options, claims, principal, bounds)
    return identity && { ...identity, credential: { issuer: options.issuer, subject }, ...acting }
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
      const client = claims && agentOf(options, claims)
      const identity = client && (await identityIn(claims))
      return identity && { identity, agent: identity.actor ?? client, expiresAt: Number(claims['exp']) }
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
const isMeantForHere = (options: OidcOptions, claims: JsonObject, typ: string | undefined): boolean =>
  isForKnownClient(options, claims) && isOfItsKind(options, claims, typ)

/** Names of claims in a line of the log. */
const MOST_NAMES = 40
const LONGEST_NAME = 40
