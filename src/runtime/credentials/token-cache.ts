import type { RingKey } from '../../crypto/keys/key-ring.js'
import type { DelegationClaims } from '../../protocol/token.js'
import { recent } from '../rates/recent.js'

/**
 * Claims of verified JWTs by the SHA-256 of the JWT, those not used for long forgotten first. Whether a token is
 * revoked is never answered from here, and what was verified by a key that does not verify any more is forgotten.
 */
export interface TokenCache {
  get(hash: string, keys: readonly RingKey[]): DelegationClaims | undefined
  /** As claims, or as the text that was signed here, which is less to keep until the token comes. */
  remember(hash: string, claims: DelegationClaims | string): void
}

export function tokenCache(entries: number): TokenCache {
  const claimsOf = recent<DelegationClaims | string>(entries)
  let verifiedBy = ''
  return {
    get(hash, keys) {
      const kids = keys.map(({ kid }) => kid).join(' ')
      if (kids !== verifiedBy) claimsOf.clear()
      verifiedBy = kids
      const known = claimsOf.get(hash)
      if (typeof known !== 'string') return known
      const claims = JSON.parse(known) as DelegationClaims
      claimsOf.set(hash, claims)
      return claims
    },
    remember: claimsOf.set,
  }
}
