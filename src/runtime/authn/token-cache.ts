import type { DelegationClaims } from '../../protocol/token.js'

/** Claims of verified JWTs by the SHA-256 of the JWT, oldest use first. Whether a token is revoked is never answered from here. */
export interface TokenCache {
  get(hash: string): DelegationClaims | undefined
  remember(hash: string, claims: DelegationClaims): void
  clear(): void
}

export function tokenCache(entries: number): TokenCache {
  const claimsOf = new Map<string, DelegationClaims>()
  return {
    get(hash) {
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
    clear: () => claimsOf.clear(),
  }
}
