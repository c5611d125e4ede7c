import { sameJson } from '../json/same-json.js'
import { sha256Hex } from '../../crypto/json/digest.js'
import { verifyDelegation } from '../../crypto/jws/jwt.js'
import { verificationKeys } from '../../crypto/keys/key-ring.js'
import type { DelegationClaims, TokenChain, TokenRecord } from '../../protocol/token.js'
import { refuse } from '../errors/refusal.js'
import { assertClock } from './clock-difference.js'
import type { Service } from '../service.js'
import { reportTampering } from './tampering.js'

/** A verified token: what its JWT says, and where it stands in its chain (root first, itself last). */
export interface Token {
  readonly claims: DelegationClaims
  readonly chain: TokenChain
  readonly record: TokenRecord
  /** Time when its chain was read. */
  readonly read: { readonly at: number; readonly afterRevocations: number }
}

/**
 * The token behind a delegation JWT (section 5.7): signature, storage, revocation, expiry of the whole chain, in this
 * order.
 */
export async function tokenOf(service: Service, bearer: string): Promise<Token> {
  assertClock(service)
  const claims = verified(service, bearer)
  const read = { at: service.now(), afterRevocations: service.revocations.count }
  const chain = await service.storage.tokens.chain(claims.jti)
  if (chain === undefined) return refuse('invalid_token', 'The token is not known here.')
  const token = { claims, chain, record: chain.at(-1)!, read }
  if (intact.get(chain) !== claims && !isIntact(token)) {
    await reportTampering(service, claims)
    return refuse('invalid_token', 'The token differs from what was issued.')
  }
  intact.set(chain, claims)
  assertStanding(service, chain, claims)
  return token
}

/** The claims that a chain was compared with: calls that share a read share the comparison. */
const intact = new WeakMap<TokenChain, DelegationClaims>()

/**
 * Holds when the JWT says what was stored, every link of the chain is the parent of the next one, and the end by which
 * the store finds each is the one that it claims.
 */
const isIntact = ({ claims, chain, record }: Token): boolean =>
  sameJson(record.claims, claims) &&
  chain.every(
    ({ claims: link, depth, isAltered }, index) =>
      depth === index && link.parent_token_id === chain[index - 1]?.claims.jti && isAltered !== true,
  )

/**
 * Refuses a chain of which any link is revoked or expired: an ancestor that ends takes its descendants with it. The
 * claims that the JWT itself makes count beside those that were stored.
 */
export function assertStanding(service: Service, chain: readonly TokenRecord[], claims?: DelegationClaims): void {
  if (chain.some((link) => link.revoked_at !== undefined))
    refuse('token_revoked', 'The token or one of its ancestors was revoked.')
  const now = service.now() / 1000 - service.limits.clockToleranceSeconds
  if ((claims !== undefined && claims.exp <= now) || chain.some((link) => link.claims.exp <= now))
    refuse('token_expired', 'The token or one of its ancestors has expired.')
}

const OTHER_REPLICAS_MS = 1000

/**
 * Refuses a token that has ended since it was read: while the body came in, an input was resolved or an earlier step
 * ran. Its chain is read again only after a revocation here, or when one elsewhere must have taken effect.
 */
export async function assertStillStanding(service: Service, { claims, chain, read }: Token): Promise<void> {
  const isRecent = read.afterRevocations === service.revocations.count && service.now() - read.at < OTHER_REPLICAS_MS
  const known = isRecent ? chain : await service.storage.tokens.chain(claims.jti)
  if (known === undefined) return refuse('invalid_token', 'The token is not known here any more.')
  assertStanding(service, known, claims)
}

/** Within this time of the read that found its token standing, a handler with effects has started. */
export const START_WITHIN_MS = 500
const MOST_READS = 10

/**
 * Refuses a token that has ended, by a read that began a moment ago: an answer to a revocation waits as long as that
 * moment may be, so that no effect starts after it on any replica (threat R05).
 */
export async function assertStandingNow(service: Service, token: Token): Promise<void> {
  if (!service.storage.isShared) return assertStillStanding(service, token)
  for (let reads = 0; reads < MOST_READS; reads++) {
    const at = service.now()
    await assertStillStanding(service, { ...token, read: { ...token.read, afterRevocations: -1 } })
    if (service.now() - at < START_WITHIN_MS) return
  }
  refuse('service_unavailable', 'The token could not be checked in time because the database is slow.')
}

function verified(service: Service, bearer: string): DelegationClaims {
  const now = service.now()
  const keys = verificationKeys(service.keys.ring(), 'tokens', now)
  const hash = sha256Hex(bearer)
  const known = service.tokens.get(hash, keys)
  if (known !== undefined) return known
  const verdict = verifyDelegation(bearer, {
    keys,
    issuer: service.id,
    audience: service.id,
    now: Math.floor(now / 1000),
    toleranceSeconds: service.limits.clockToleranceSeconds,
  })
  if (!verdict.ok) {
    const [type, detail] = REFUSAL_OF[verdict.reason]
    return refuse(type, detail)
  }
  service.tokens.remember(hash, verdict.claims)
  return verdict.claims
}

// prettier-ignore
const REFUSAL_OF = {
  malformed: ['invalid_token', 'The credential is not a delegation token of this service.'],
  signature: ['invalid_token', 'The signature of the token does not verify.'],
  claims:    ['invalid_token', 'The token was not made for this service.'],
  not_yet:   ['invalid_token', 'The token is not valid yet.'],
  expired:   ['token_expired', 'The token has expired.'],
} as const
