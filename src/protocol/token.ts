/** Delegation tokens (sections 2.10 and 4.4). */
import type { ProvenBy } from './credential.js'
import type { JsonObject } from './manifest.js'
import type { Principal } from './principals.js'
import type { BudgetMode, ConcurrentBranches } from './words.js'

/** The `typ` of a delegation JWT. */
export const DELEGATION_TYPE = 'svc-delegation+jwt'

/** A ceiling in major units of an ISO 4217 currency. */
export interface Budget {
  readonly currency: string
  readonly max_amount: number
  /** `per_invocation` when absent. */
  readonly mode?: BudgetMode
}

export interface Purpose {
  readonly parameters: JsonObject
  readonly task_id?: string
}

export interface TokenConstraints {
  readonly budget?: Budget
  readonly max_delegation_depth: number
  readonly concurrent_branches: ConcurrentBranches
}

/** The claims of a delegation JWT. Times are in s since the epoch. */
export interface DelegationClaims {
  readonly jti: string
  readonly iss: string
  readonly aud: string
  readonly sub: Principal
  readonly iat: number
  readonly nbf: number
  readonly exp: number
  readonly scope: readonly string[]
  readonly root_principal: Principal
  readonly capability?: string
  readonly purpose: Purpose
  readonly parent_token_id?: string
  readonly constraints: TokenConstraints
  readonly caller_class?: string
  readonly session_id?: string
}

/** A token as stored: its claims, its place in the chain, and whether it was revoked. Never the JWT itself. */
export interface TokenRecord {
  readonly claims: DelegationClaims
  /** 0 for a root. */
  readonly depth: number
  /** ms since the epoch. */
  readonly revoked_at?: number
  /** Credential that requested it, if it was not a token. */
  readonly credential?: ProvenBy
  /** Its row says another end than its claims: somebody altered it. */
  readonly isAltered?: true
}

/** A token and all its ancestors, root first, as one storage read gives them. The last one is the token itself. */
export type TokenChain = readonly [TokenRecord, ...TokenRecord[]]

/** Members of a token request; null of one that is optional counts as absent (decisions, section 21). */
export const TOKEN_MEMBERS = [
  'scope', 'capability', 'subject', 'parent_token', 'purpose_parameters', 'budget', 'caller_class', 'concurrent_branches', 'ttl_hours',
  'session_id', 'max_delegation_depth',
] as const // prettier-ignore

/** POST /svc/tokens. */
export interface TokenRequest {
  readonly scope: readonly string[]
  readonly capability?: string
  readonly subject?: string
  readonly parent_token?: string
  readonly purpose_parameters?: JsonObject
  readonly budget?: Budget
  readonly caller_class?: string
  readonly concurrent_branches?: ConcurrentBranches
  readonly ttl_hours?: number
  readonly session_id?: string
  readonly max_delegation_depth?: number
}

export interface TokenResponse {
  readonly issued: true
  readonly token_id: string
  readonly token: string
  readonly scope: readonly string[]
  readonly capability?: string
  readonly task_id?: string
  readonly budget?: Budget
  /** RFC 3339. */
  readonly expires_at: string
  /** The same time, by the name that other renderings give it (section 4.4). */
  readonly expires: string
}

/** POST /svc/tokens/revoke. */
export interface RevocationResponse {
  readonly revoked: true
  readonly token_id: string
  /** Number of child tokens revoked with it. */
  readonly descendants: number
}
