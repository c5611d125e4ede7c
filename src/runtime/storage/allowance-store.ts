/**
 * What a storage back end promises of counters as they stand, for whoever compares them with the trail (security, N08).
 */
import type { Principal } from '../../protocol/principals.js'

export interface StoredAllowanceOfToken {
  readonly rootPrincipal: Principal
  readonly isRevoked: boolean
  /** ms since the epoch. */
  readonly expiresAt: number
  /** The currency of its cumulative budget, where it has one. */
  readonly currency: string | undefined
  /** Spent and reserved, in minor units. */
  readonly spentUnits: bigint
}

export interface StoredAllowanceOfGrant {
  readonly isRevoked: boolean
  readonly expiresAt: number
  readonly uses: number
  readonly maxUses: number
}

export interface AllowanceStore {
  /** Those tokens of a list that are stored. */
  tokens(ids: readonly string[]): Promise<ReadonlyMap<string, StoredAllowanceOfToken>>
  grants(ids: readonly string[]): Promise<ReadonlyMap<string, StoredAllowanceOfGrant>>
  /** Ends a token that stands; false where it had ended. */
  endToken(id: string, at: number): Promise<boolean>
  /** Ends a grant, whatever is left of it; false where it was revoked before. */
  endGrant(id: string): Promise<boolean>
}
