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
  'invocation', 'token_issued', 'token_revoked', 'approval_requested', 'approval_given', 'approval_granted', 'approval_denied', 'approval_withdrawn', 'grant_revoked',
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
  /** What cumulative budgets were charged for it, and for steps of it that held nothing by themselves. */
  readonly cost_charged?: Money
  /** What they had held for it, where it was charged more: `cost_exceeded`. */
  readonly cost_checked?: Money
  /** What cumulative budgets keep for it while nobody knows its outcome; of what an operator found out, what they kept. */
  readonly cost_held?: Money
  /** What the service behind answered otherwise than it is described. */
  readonly result_deviations?: readonly AnswerDeviation[]
  /** Only the inputs named in `observability.fields_logged`. */
  readonly parameters: JsonObject
  /** Of an erasure: whose content it took away. */
  readonly erased?: Erased
  /** Of refused calls that have no entry of their own: how many, since when. */
  readonly refused?: CountedRefusals
  /** What the failure said, in full; of an erasure, why. */
  readonly detail?: string
  /** Of a token that was issued: what it was given. */
  readonly issued?: IssuedToken
  /** Of an approval request and of what became of it: what was asked for and decided. */
  readonly approval?: ApprovalFacts
  /** What an operator did. */
  readonly operated?: OperatorAction
  /** Which API key or account stood behind the actor, where that is known. */
  readonly credential?: ProvenBy
  /** RFC 3339 with ms. */
  readonly timestamp: string
}

/** What an approver saw and decided; who it was is the actor of the entry. */
export interface ApprovalFacts {
  readonly parameters_digest: string
  readonly preview_digest?: string
  /** When it is asked for: the members of the preview that `observability.fields_logged` names. */
  readonly preview?: JsonObject
  readonly grant_type?: GrantType
  /** Of a grant: how often it may be used. */
  readonly max_uses?: number
  readonly reason?: string
}

/** What a token was given, beside its capability and its task, which every entry has. */
export interface IssuedToken {
  readonly subject: Principal
  readonly scope: readonly string[]
  readonly budget?: Budget
  readonly caller_class?: string
  /** 0 for a root. */
  readonly depth: number
  /** Those for whom the agent acts in turn, as the provider's token names them (RFC 8693, section 4.1). */
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
