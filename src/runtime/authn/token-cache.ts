import type { RingKey } from '../../crypto/key-ring.js'
import type { DelegationClaims } from '../../protocol/token.js'

/**
 * Claims of verified JWTs by the SHA-256 of the JWT, those not used for long forgotten first. Whether a token is revoked is never
 * answered from here, and what was verified by a key that does not verify any more is forgotten.
 */
export interface TokenCache {
  get(hash: string, keys: readonly RingKey[]): DelegationClaims | undefined
  remember(hash: string, claims: DelegationClaims): void
}

/**
 * Two generations: what is used moves to the young one, and when that holds half of the entries it becomes the old one. Moving a key
 * to the end of one map would leave a hole for each use in the chain of that key, and every next use would walk past all of them.
 */
export function tokenCache(entries: number): TokenCache {
  let young = new Map<string, DelegationClaims>()
  let old = new Map<string, DelegationClaims>()
  let verifiedBy = ''
  const remember = (hash: string, claims: DelegationClaims): void => {
    young.set(hash, claims)
    if (young.size * 2 <= entries) return
    old = young
    young = new Map()
  }
  return {
    get(hash, keys) {
      const kids = keys.map(({ kid }) => kid).join(' ')
      if (kids !== verifiedBy) {
        young = new Map()
        old = new Map()
      }
      verifiedBy = kids
      const known = young.get(hash)
      if (known !== undefined) return known
      const claims = old.get(hash)
      if (claims !== undefined) remember(hash, claims)
      return claims
    },
    remember,
  }
}
