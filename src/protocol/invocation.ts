/** Invocations (sections 2.13 and 4.6). */
import type { Failure } from './failures.js'
import type { Json, JsonObject } from './manifest.js'
import type { Money } from './money.js'
import type { Budget } from './token.js'
import type { CostCertainty } from './words.js'

/** The members of an invoke request that are not business inputs; no input may bear one of these names. */
export const INVOKE_MEMBERS = [
  'parameters', 'client_reference_id', 'task_id', 'parent_invocation_id', 'upstream_service', 'approval_grant', 'approval', 'stream',
  'requested_effects', 'budget',
] as const // prettier-ignore

export interface InvokeRequest {
  readonly parameters: JsonObject
  readonly client_reference_id?: string
  readonly task_id?: string
  readonly parent_invocation_id?: string
  readonly upstream_service?: string
  readonly approval_grant?: string
  /** Go on under the grant of the request that this very call opened, if it was approved (decisions, section 10). */
  readonly approval?: 'continue'
  readonly stream?: boolean
  /** Effects that the caller wants; each must be one that the capability produces (decisions, section 21). */
  readonly requested_effects?: readonly string[]
  /** Ceiling of this call, within the budget of its token. */
  readonly budget?: Budget
}

export interface BudgetContext {
  readonly budget_max: number
  readonly budget_currency: string
  /** Absent where no amount could be checked. */
  readonly cost_check_amount?: number
  readonly cost_certainty?: CostCertainty
  /** For cumulative budgets. */
  readonly budget_spent?: number
  readonly budget_remaining?: number
}

/** Origin of an invocation; echoed and audited (section 4.6). */
export interface Lineage {
  readonly client_reference_id?: string
  readonly task_id?: string
  readonly parent_invocation_id?: string
  readonly upstream_service?: string
}

export type Envelope = SuccessEnvelope | FailureEnvelope

/** A part of an answer that is otherwise than described. */
export interface AnswerDeviation {
  /** RFC 6901, into the result; empty for all of it. */
  readonly pointer: string
  readonly expected: string
  readonly got: string
}

export interface SuccessEnvelope extends Lineage {
  readonly success: true
  readonly invocation_id: string
  readonly result: Json
  /** Deviations of the upstream response from its description; at most 20 (decisions, section 19). */
  readonly result_deviations?: readonly AnswerDeviation[]
  readonly cost_actual?: Money
  readonly budget_context?: BudgetContext
}

export interface FailureEnvelope extends Lineage {
  readonly success: false
  readonly invocation_id: string
  readonly failure: Failure
  readonly cost_actual?: Money
  readonly budget_context?: BudgetContext
}

export interface StreamSummary {
  readonly events_emitted: number
  readonly events_delivered: number
  readonly duration_ms: number
  readonly client_disconnected: boolean
}
