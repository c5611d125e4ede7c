/** POST /svc/permissions (section 4.5). */
import type { Principal } from './principals.js'
import type { ReasonType } from './words.js'
import type { TokenConstraints } from './token.js'

export interface AvailablePermission {
  readonly capability: string
  /** The scopes that matched, separated by blanks. */
  readonly scope_match: string
  readonly constraints: Partial<TokenConstraints>
}

export interface UnavailablePermission {
  readonly capability: string
  readonly reason: string
  readonly reason_type: ReasonType
  readonly grantable_by?: Principal
  readonly unmet_token_requirements?: readonly string[]
  /** The action of the failure that invoking would give. */
  readonly resolution_hint?: string
}

export interface Permissions {
  readonly available: readonly AvailablePermission[]
  /** A grantable requirement is missing. */
  readonly restricted: readonly UnavailablePermission[]
  /** Structurally impossible. */
  readonly denied: readonly UnavailablePermission[]
}
