/** Data and decisions of a service's operators (decisions, section 13). */
import type { ProvenBy } from './credential.js'
import type { Money } from './money.js'
import type { Principal } from './principals.js'
import type { Budget } from './token.js'

/** Ways to select tokens: exactly one of these. */
export const TOKEN_TARGETS = ['principal', 'subject', 'api_key', 'capability', 'token_id'] as const
export type TokenTarget = (typeof TOKEN_TARGETS)[number]

/** Of these, those that are blocked when their tokens are ended. */
export const BLOCK_KINDS = ['principal', 'subject', 'api_key'] as const
export type BlockKind = (typeof BLOCK_KINDS)[number]

export const TOKEN_STATES = ['live', 'revoked', 'expired'] as const
export type TokenState = (typeof TOKEN_STATES)[number]

/** A token as an operator sees it; a token that an ancestor took with it is in the state of that one. */
export interface ListedToken {
  readonly token_id: string
  readonly parent_token_id?: string
  readonly root_principal: Principal
  readonly subject: Principal
  readonly scope: readonly string[]
  readonly capability?: string
  readonly budget?: Budget
  /** Of a cumulative budget: what is spent and held, in its currency. */
  readonly spent?: number
  readonly task_id?: string
  readonly depth: number
  readonly state: TokenState
  /** API key or account that requested it, if it was not a token. */
  readonly credential?: ProvenBy
  /** RFC 3339. */
  readonly issued_at: string
  readonly expires_at: string
}

export interface TokenList {
  readonly tokens: readonly ListedToken[]
  readonly count: number
  readonly next_cursor?: string
}

/** POST /-/tokens/revoke: one target, and why. */
export type TokensRevocationRequest = { readonly [target in TokenTarget]?: string } & { readonly reason: string }

export interface TokensRevocation {
  readonly revoked: true
  /** Number of revoked tokens; their child tokens are revoked with them. */
  readonly tokens: number
  readonly block?: Block
}

/** Nobody of whom this is true buys a token, or uses a credential, until it is lifted. */
export interface Block {
  readonly block_id: string
  readonly kind: BlockKind
  readonly value: string
  readonly reason: string
  readonly created_by: Principal
  /** RFC 3339. */
  readonly created_at: string
  readonly lifted_at?: string
  readonly lifted_by?: Principal
}

export interface BlockList {
  readonly blocks: readonly Block[]
  readonly count: number
}

/** A capability whose calls are answered with `service_unavailable` until it is resumed. */
export interface PausedCapability {
  readonly capability: string
  readonly reason: string
  readonly paused_by: Principal
  /** RFC 3339. */
  readonly paused_at: string
}

/** GET /-/capabilities, and the answer to a pause and to a resumption. */
export interface PausedCapabilities {
  readonly paused: readonly PausedCapability[]
}

/** Action of an operator in the audit trail: its target, its reason, and the number of tokens. */
export interface OperatorAction {
  readonly name:
    | 'tokens_revoked'
    | 'api_key_ended'
    | 'block_lifted'
    | 'block_in_force'
    | 'capability_paused'
    | 'capability_resumed'
    | 'pause_in_force'
    | 'event_resent'
    | 'invocation_resolved'
    | 'rows_authenticated'
    | 'connection_made'
    | 'connection_ended'
  readonly target: { readonly [name: string]: string }
  readonly reason?: string
  readonly tokens?: number
  /** Ids of the revoked tokens, so that none can return unnoticed. */
  readonly token_ids?: readonly string[]
  readonly block_id?: string
  /** Of an invocation whose outcome was unknown: whether its effect happened, and what it cost. */
  readonly happened?: boolean
  readonly cost?: Money
}

/** POST /-/invocations/{id}/resolve: what happened, by whoever found out; no amount leaves what was reserved. */
export interface InvocationResolutionRequest {
  readonly happened: boolean
  /** In the currency of what the invocation reserved, else of its capability. */
  readonly amount?: number
  readonly reason: string
}

export interface InvocationResolution {
  readonly resolved: true
  readonly invocation_id: string
  readonly happened: boolean
  /** Amount that now counts as spent by it. */
  readonly cost?: Money
  /** Amount returned to budgets. */
  readonly released?: Money
}

/** Detail of a call that an operator's pause refused: no failure, but a decision. */
export const pausedDetail = (capability: string): string => `The capability ${capability} is paused by an operator.`
