import type { RingKey } from '../../crypto/key-ring.js'
import type { DelegationClaims } from '../../protocol/token.js'

/**
 * Claims of verified JWTs by the SHA-256 of the JWT, the least recently used forgotten first. Whether a token is revoked is never
 * answered from here, and what was verified by a key that does not verify any more is forgotten.
 */
export interface TokenCache {
  get(hash: string, keys: readonly RingKey[]): DelegationClaims | undefined
  remember(hash: string, claims: DelegationClaims): void
}

export function tokenCache(entries: number): TokenCache {
  const claimsOf = new Map<string, DelegationClaims>()
  let verifiedBy = ''
  return {
    get(hash, keys) {
      const kids = keys.map(({ kid }) => kid).join(' ')
      if (kids !== verifiedBy) claimsOf.clear()
      verifiedBy = kids
      const claims = claimsOf.get(hash)
      if (claims === undefined) return undefined
      claimsOf.delete(hash)
      claimsOf.set(hash, claims)
      return claims
    },
    remember(hash, claims) {
      claimsOf.set(hash, claims)
      if (claimsOf.size > entries) claimsOf.delete(claimsOf.keys().next().value!)
    },
  }
}
