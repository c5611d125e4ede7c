import type { ApprovalRequest } from '../../protocol/approval.js'
import type { ProvenBy } from '../../protocol/credential.js'
import type { JsonObject } from '../../protocol/manifest.js'
import type { Money } from '../../protocol/money.js'
import type { Principal } from '../../protocol/principals.js'

/** An approval request with what the service alone knows about it. */
export interface StoredRequest extends ApprovalRequest {
  /** Which API key or account stood behind the requester, where that is known. */
  readonly credential?: ProvenBy
  /** The root of the requester's chain. */
  readonly root_token_id?: string
  /** What tiers compared: the checked cost in the currency of the declaration, where it was known. */
  readonly compared_cost?: Money
  /** The steps of the composition that had ended when the approval was asked for, in order. */
  readonly progress?: readonly FinishedStep[]
  /** What it was asked with was erased; it has ended. */
  readonly isErased?: true
  /** Authenticates all that never changes of it (`runtime/rows`). */
  readonly mac?: string
  /** What is stored about its decision, beside who decided, when and why. */
  readonly decided?: StoredDecision
}

/** Evidence of a decision: the credential, the names whose authority it was made by, and its MAC (`runtime/rows`). */
export interface StoredDecision {
  readonly credential?: ProvenBy
  readonly by?: readonly Principal[]
  readonly mac?: string
}

/** A step of a composition that has ended well. */
export interface FinishedStep {
  readonly id: string
  readonly capability: string
  readonly output: JsonObject
  readonly cost?: Money
}

/** A request that was decided, with the evidence of its decision. */
export interface PastDecision {
  readonly approval_request_id: string
  readonly status: 'approved' | 'denied' | 'returned'
  readonly approver: Principal | null
  readonly decided_at: string | null
  readonly reason: string | null
  readonly decided: StoredDecision
}

/** What became of other requests: how many of each state are not decided, and the decisions, newest first. */
export interface StoredHistory {
  readonly undecided: { readonly [state: string]: number }
  readonly decided: readonly PastDecision[]
}
