/** Approval requests and grants (sections 2.12 and 4.7). */
import type { GrantPolicy, JsonObject, Json, SideEffect } from './manifest.js'
import type { Money } from './money.js'
import type { Principal } from './principals.js'
import type { Budget } from './token.js'
import type { ApprovalState, GrantType } from './words.js'

export interface Requester {
  readonly subject: Principal
  readonly root_principal: Principal
  readonly token_id: string
}

/** The step of a composition for which an approval is asked, with the parameters that it would run with. */
export interface GatedStep {
  readonly id: string
  readonly capability: string
  readonly parameters_digest: string
  /** Digest of what the earlier steps gave: a continuation goes on from there, and runs none of them again. */
  readonly progress_digest: string
}

/** Data of a binding: what was quoted under the id that an input holds. */
export interface BoundData {
  /** Input that holds the id. */
  readonly field: string
  readonly type: string
  readonly price?: Money
  readonly data?: JsonObject
}

/** An approved request of the same call, and the preview that it was approved with. */
export interface ApprovedBefore {
  readonly approval_request_id: string
  readonly preview?: Json
}

/** An approval request, stored and on the wire. Timestamps are RFC 3339 with ms. */
export interface ApprovalRequest {
  readonly approval_request_id: string
  readonly capability: string
  readonly scope: readonly string[]
  readonly requester: Requester
  readonly requested_parameters: JsonObject
  readonly requested_parameters_digest: string
  readonly preview?: Json
  readonly preview_digest?: string
  /** For its approver: what was approved, and no longer is what would happen (`preview: must_hold`). */
  readonly approved_before?: ApprovedBefore
  readonly grant_policy: GrantPolicy
  /** Step that needs the approval, if the capability itself does not. */
  readonly step?: GatedStep & { readonly parameters: JsonObject }
  readonly parent_invocation_id: string | null
  /** For its approver: data of the bindings that the call names, as the service issued them. */
  readonly bound?: readonly BoundData[]
  /** For its approver: inputs whose values are hidden (`x-sensitive`). */
  readonly hidden?: readonly string[]
  /** Cost of the call, as checked. */
  readonly checked_cost?: Money
  /** The session and the task of the call that asked: the same call goes on there with `approval: "continue"`. */
  readonly session_id?: string
  readonly task_id?: string
  /**
   * The invocation that spent the last grant for this very call, within 24 h: the approver may be asked twice for one
   * thing.
   */
  readonly spent_by?: string
  /** Number of different approvers needed, if more than one, and the number so far. */
  readonly approvals_needed?: number
  readonly approvals?: number
  /** The scope of a tier, where the checked cost falls into one: nobody else may decide. */
  readonly approver_scope?: string
  readonly status: ApprovalState
  readonly approver: Principal | null
  readonly decided_at: string | null
  readonly reason: string | null
  /** Time at which the requester was first answered with the decision. */
  readonly answered_at?: string
  /** Once approved: the grant with which the requester continues. Nobody else can use it. */
  readonly grant_id?: string
  /** Invocation that used the grant last. */
  readonly invocation_id?: string
  readonly created_at: string
  readonly expires_at: string
  /** The page where a person decides, where a console is served. */
  readonly approval_url?: string
  /** For its approver, where one request is read. */
  readonly context?: ApprovalContext
}

/** Facts for an approver beside the request itself (decisions, section 10). */
export interface ApprovalContext {
  readonly description?: string
  readonly side_effect?: SideEffect
  readonly token?: {
    readonly budget?: Budget
    /** Amount spent and held of a cumulative budget, in its currency. */
    readonly spent?: number
    readonly task_id?: string
    readonly expires_at: string
  }
  /** Root principal, then the subject of each token of the chain. */
  readonly delegation?: readonly Principal[]
  /** Approvers so far, oldest first, if more than one is needed. */
  readonly approved_by?: readonly EarlierDecision[]
  /** Logged inputs, if there is no preview. */
  readonly logged_inputs?: JsonObject
  /** Result of the call that used the grant, if there is one. */
  readonly outcome?: ApprovedOutcome
  readonly earlier: RequestHistory
  /** While pending: the request of this requester for this capability that the approver decided last. */
  readonly last_decided?: DecidedBefore
}

/** Earlier request, as its approver saw it. */
export type DecidedBefore = Pick<
  ApprovalRequest,
  | 'approval_request_id'
  | 'status'
  | 'decided_at'
  | 'preview'
  | 'requested_parameters'
  | 'step'
  | 'bound'
  | 'hidden'
  | 'checked_cost'
>

/** Result of an approved call. */
export interface ApprovedOutcome {
  readonly invocation_id: string
  readonly success: boolean
  readonly failure_type: string | null
  readonly cost_actual: Money | null
  readonly timestamp: string
}

/**
 * Other requests of the same requester for the same capability, among the last 1,000 of its root principal. A decision
 * of which retention erased the reason is not among them.
 */
export interface RequestHistory {
  /** State -> how many. */
  readonly counts: { readonly [state: string]: number }
  /** The last five decisions, newest first. */
  readonly last: readonly EarlierDecision[]
}

export interface EarlierDecision {
  readonly status: 'approved' | 'denied' | 'returned'
  readonly approver: Principal
  readonly decided_at: string
  readonly reason: string | null
}

/** POST /-/approval_grants/{id}/revoke. */
export interface GrantRevocation {
  readonly revoked: true
  readonly grant_id: string
  readonly approval_request_id: string
}

/** Decision about a request, as its requester may read it. */
export type ApprovalDecision = Pick<ApprovalRequest, 'status' | 'reason' | 'decided_at'>

/** A signed grant (section 2.12). `signature` is a detached JWS over the JCS form of all other members. */
export interface ApprovalGrant {
  readonly grant_id: string
  readonly approval_request_id: string
  readonly capability: string
  readonly scope: readonly string[]
  readonly requester: Requester
  readonly approver: Principal
  readonly parameters_digest: string
  readonly preview_digest?: string
  /** The one step that the grant approves. */
  readonly step?: GatedStep
  readonly grant_type: GrantType
  readonly session_id: string | null
  readonly issued_at: string
  readonly expires_at: string
  readonly max_uses: number
  readonly signature: string
}

/** The answer to an approval while more people must approve (decisions, section 10). */
export interface PendingApproval {
  readonly approval_request_id: string
  readonly status: 'pending'
  readonly approvals: number
  readonly approvals_needed: number
}

/** POST /svc/approval_grants. */
export interface GrantRequest {
  readonly approval_request_id: string
  /** The default of the request's grant policy when absent. */
  readonly grant_type?: GrantType
  readonly session_id?: string | null
  readonly expires_in_seconds?: number
  readonly max_uses?: number
  /** Reason, at most 1,000 characters. */
  readonly reason?: string
}
