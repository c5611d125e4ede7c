/** The audit trail and its checkpoints (sections 2.14, 2.15, 4.8 and 6). */
import type { AnswerDeviation } from './invocation.js'
import type { ProvenBy } from './credential.js'
import type { JsonObject } from './manifest.js'
import type { Money } from './money.js'
import type { OperatorAction } from './operator.js'
import type { Principal } from './principals.js'
import type { Budget } from './token.js'
import type { EventClass, GrantType, SideEffectType } from './words.js'

export const ENTRY_TYPES = [
  'invocation', 'token_issued', 'token_revoked', 'approval_requested', 'approval_given', 'approval_granted', 'approval_denied', 'approval_returned', 'approval_withdrawn', 'grant_revoked',
  'integrity_failure', 'erasure', 'refusals',
  'operator_action',
] as const // prettier-ignore
export type EntryType = (typeof ENTRY_TYPES)[number]

/** One audit entry (section 2.14); its JCS form is the Merkle leaf. */
export interface AuditEntry {
  /** From 1, without gaps. */
  readonly sequence: number
  readonly entry_type: EntryType
  /** Null for entries that are not of an invocation. */
  readonly invocation_id: string | null
  readonly capability: string | null
  readonly actor_key: string
  readonly root_principal: string
  readonly event_class: EventClass
  readonly success: boolean
  readonly failure_type: string | null
  readonly client_reference_id: string | null
  readonly task_id: string | null
  readonly parent_invocation_id: string | null
  readonly upstream_service: string | null
  readonly approval_request_id: string | null
  readonly approval_grant_id: string | null
  /** Null for an erasure and for counted refusals, which no one token stands behind. */
  readonly token_id: string | null
  /** Token ids, root first. */
  readonly delegation_chain: readonly string[]
  readonly cost_actual: Money | null
  /** Holds when the handler reported a cost above the checked amount. */
  readonly cost_exceeded?: true
  /** Amount charged to cumulative budgets for the call, and for steps that held nothing themselves. */
  readonly cost_charged?: Money
  /** Amount held before, if the charge was higher: `cost_exceeded`. */
  readonly cost_checked?: Money
  /** Amount that cumulative budgets keep while the outcome is unknown; once it is settled, the amount they kept. */
  readonly cost_held?: Money
  /** Deviations of the upstream response from its description. */
  readonly result_deviations?: readonly AnswerDeviation[]
  /** Only the inputs named in `observability.fields_logged`. */
  readonly parameters: JsonObject
  /** Of an erasure: whose content it took away. */
  readonly erased?: Erased
  /** Of refused calls that have no entry of their own: how many, since when. */
  readonly refused?: CountedRefusals
  /** Full detail of the failure; for an erasure, its reason. */
  readonly detail?: string
  /** Of a token that was issued: what it was given. */
  readonly issued?: IssuedToken
  /** Of an approval request and of what became of it: what was asked for and decided. */
  readonly approval?: ApprovalFacts
  /** Action of an operator. */
  readonly operated?: OperatorAction
  /** API key or account of the actor, if known. */
  readonly credential?: ProvenBy
  /** RFC 3339 with ms. */
  readonly timestamp: string
}

/** Facts that an approver saw and the decision; the approver is the actor of the entry. */
export interface ApprovalFacts {
  readonly parameters_digest: string
  readonly preview_digest?: string
  /** For a new request: the preview's members that `observability.fields_logged` names. */
  readonly preview?: JsonObject
  /** Of a grant: who asked. */
  readonly requester?: Principal
  /** Of a grant: the cost of the call, as checked. */
  readonly checked_cost?: Money
  /** Of a grant: what was quoted to the requester; the ids and data of a quote are inputs, and stay out. */
  readonly quoted?: readonly QuotedFact[]
  readonly grant_type?: GrantType
  /** Of a grant: how often it may be used. */
  readonly max_uses?: number
  readonly reason?: string
}

/** A quote that an approved call names. */
export interface QuotedFact {
  /** Type of the binding. */
  readonly type: string
  readonly price?: Money
}

/** Rights of an issued token, beside its capability and its task, which every entry has. */
export interface IssuedToken {
  readonly subject: Principal
  readonly scope: readonly string[]
  readonly budget?: Budget
  readonly caller_class?: string
  /** 0 for a root. */
  readonly depth: number
  /** Further actors in the chain, as the provider's token names them (RFC 8693, section 4.1). */
  readonly inner_actors?: readonly string[]
  /** RFC 3339. */
  readonly expires_at: string
}

/** Calls that were refused beyond the rate of entries of their root principal. */
export interface CountedRefusals {
  /** RFC 3339. */
  readonly since: string
  readonly count: number
  /** Failure type -> how often. */
  readonly by_type: { readonly [failureType: string]: number }
}

/**
 * Entries whose content was erased, as runs of sequences that neither touch nor overlap, in order; and how many they
 * are.
 */
export interface Erased {
  readonly ranges: readonly (readonly [from: number, to: number])[]
  readonly count: number
}

/**
 * An entry as it is answered. Where the caller may not read all of its text, it says so, and has the hash of the leaf,
 * because what is left no longer hashes to it (decisions, section 14: Redacted trail).
 */
export interface AnsweredEntry extends AuditEntry {
  readonly redacted?: true
  /** `sha256:<hex>`. */
  readonly leaf_hash?: string
}

/** An entry before the trail gives it its sequence. */
export type AuditDraft = Omit<AuditEntry, 'sequence'>

/** A read is low risk unless it costs money; everything else is high risk (section 6). */
export const eventClass = (effect: SideEffectType, financial: boolean, success: boolean): EventClass =>
  `${effect === 'read' && !financial ? 'low' : 'high'}_risk_${success ? 'success' : 'failure'}`

/** A checkpoint in list form (section 2.15). `signature` is a detached JWS over the JCS form of all other members. */
export interface Checkpoint {
  readonly checkpoint_id: string
  /** Rises by one. */
  readonly sequence: number
  readonly merkle_root: string
  readonly entry_count: number
  readonly created_at: string
  readonly signature: string
}

/** A page of the list of checkpoints, newest first (section 4.9). */
export interface CheckpointList {
  readonly checkpoints: readonly Checkpoint[]
  /** Leads to older ones, where there are more. */
  readonly next_cursor?: string
}

export interface InclusionProof {
  readonly leaf_index: number
  readonly tree_size: number
  readonly leaf_hash: string
  readonly path: readonly string[]
}

export interface ConsistencyProof {
  readonly from_size: number
  readonly to_size: number
  readonly path: readonly string[]
}

/** The detail form (section 4.10). */
export interface CheckpointDetail extends Checkpoint {
  readonly tree_size: number
  readonly tree_head: string
  readonly inclusion_proof?: InclusionProof
  readonly consistency_proof?: ConsistencyProof
}
