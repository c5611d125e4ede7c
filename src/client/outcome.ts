/** Outcome of a call: a result, or a governed failure as a value (sections 4.6 and 7). */
import type { ClarificationInput, FailureResolution, FailureType, GrantRefusal } from '../protocol/failures.js'
import type { ApprovalDecision, ApprovalRequest } from '../protocol/approval.js'
import type { BudgetContext, AnswerDeviation, Lineage } from '../protocol/invocation.js'
import type { GrantPolicy } from '../protocol/manifest.js'
import type { Money } from '../protocol/money.js'
import type { PendingCall } from './pending-call.js'

/** A capability was invoked and gave a result. */
export interface Succeeded<Result> extends Lineage {
  readonly success: true
  readonly invocation_id: string
  readonly result: Result
  readonly result_deviations?: readonly AnswerDeviation[]
  readonly cost_actual?: Money
  readonly budget_context?: BudgetContext
}

/** The service refused or failed, and says why and what to do. */
export interface Failed<Failure> extends Lineage {
  readonly success: false
  /** Absent where the call was refused before it became an invocation. */
  readonly invocation_id?: string
  readonly failure: Failure
  readonly cost_actual?: Money
  readonly budget_context?: BudgetContext
}

export type Outcome<Result, Failure> = Succeeded<Result> | Failed<Failure>

/** The answer of an endpoint that is not an invocation. */
export type Answer<Result, Failure = Refused<FailureType>> =
  | { readonly success: true; readonly result: Result }
  | { readonly success: false; readonly failure: Failure }

interface FailureMembers {
  readonly detail: string
  /** May the very same call, unchanged, succeed later? */
  readonly retry: boolean
  readonly resolution: FailureResolution
}

interface DecidedByPerson {
  readonly approval_request_id: string
  readonly approval_url?: string
  readonly decision: ApprovalDecision & Partial<ApprovalRequest>
}

interface ExtraMembers {
  readonly approval_required: {
    readonly approval_request_id: string
    readonly requested_parameters_digest: string
    readonly grant_policy: GrantPolicy
    /** The page where a person decides, where the service has a console. */
    readonly approval_url?: string
    readonly preview_digest?: string
    /** Call that `resume` repeats; added by the client. */
    readonly pending?: PendingCall
    /** State of the request, if the client resumed the call and it is no longer open. */
    readonly decision?: ApprovalDecision & Partial<ApprovalRequest>
  }
  readonly approval_denied: DecidedByPerson
  /** With a question, in `decision.reason`. */
  readonly approval_returned: DecidedByPerson
  readonly approval_grant_invalid: { readonly reason: GrantRefusal }
  /** The page where the root principal connects the account, where the service has a console. */
  readonly connection_required: { readonly connection_url?: string }
  readonly clarification_required: { readonly clarification: { readonly inputs: readonly ClarificationInput[] } }
  readonly composition_child_failed: {
    readonly step?: { readonly id: string; readonly capability: string; readonly failure_type: string }
  }
}

type ExtraOf<Type> = Type extends keyof ExtraMembers ? ExtraMembers[Type] : unknown

/** A failure of the service interface, by its type: a union that a `switch` over `type` can exhaust. */
export type Refused<Type extends FailureType> = Type extends FailureType
  ? FailureMembers & { readonly type: Type } & ExtraOf<Type>
  : never

/** A failure of the business, declared by its type. */
export type Declared<Type extends string> = Type extends string
  ? FailureMembers & { readonly type: Type; readonly data?: unknown }
  : never

/** Failures that any call may meet, whatever its capability declares. */
export type CallRefusal =
  | 'authentication_required'
  | 'invalid_token'
  | 'token_expired'
  | 'token_revoked'
  | 'scope_insufficient'
  | 'insufficient_authority'
  | 'purpose_mismatch'
  | 'delegation_depth_exceeded'
  | 'invalid_parameters'
  | 'unknown_capability'
  | 'concurrent_request_rejected'
  | 'idempotency_in_progress'
  | 'idempotency_conflict'
  | 'rate_limited'
  | 'payload_too_large'
  | 'outcome_unknown'
  | 'service_unavailable'
  | 'internal_error'

/** Failures of a capability that may need an approval. */
export type ApprovalRefusal = 'approval_denied' | 'approval_grant_invalid' | 'approval_required' | 'approval_returned'
/** Failures of a capability that needs a binding. */
export type BindingRefusal = 'binding_missing' | 'binding_stale'
/** Failures of a capability that costs money. */
export type BudgetRefusal = 'budget_currency_mismatch' | 'budget_exceeded'
