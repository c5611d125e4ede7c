import type { ApprovalDecision } from './approval.js'
import type { JsonObject } from './manifest.js'
import type { GrantPolicy, InputMeaning, Json } from './manifest.js'
import type { ReasonType } from './words.js'

/** Resolution action -> recovery class (section 7). */
export const RECOVERY_CLASS_OF = {
  retry_now: 'retry_now',
  provide_credentials: 'retry_now',
  wait_and_retry: 'wait_then_retry',
  request_approval: 'wait_then_retry',
  obtain_quote_first: 'refresh_then_retry',
  obtain_binding: 'refresh_then_retry',
  refresh_binding: 'refresh_then_retry',
  request_new_delegation: 'redelegation_then_retry',
  request_broader_scope: 'redelegation_then_retry',
  request_deeper_delegation: 'redelegation_then_retry',
  request_budget_increase: 'redelegation_then_retry',
  request_budget_bound_delegation: 'redelegation_then_retry',
  request_capability_binding: 'redelegation_then_retry',
  obtain_matching_currency: 'redelegation_then_retry',
  revalidate_state: 'revalidate_then_retry',
  revise_parameters: 'revalidate_then_retry',
  check_manifest: 'revalidate_then_retry',
  provide_input: 'revalidate_then_retry',
  invoke_as_root_principal: 'terminal',
  contact_service_owner: 'terminal',
} as const satisfies { readonly [action: string]: RecoveryClassWord }

type RecoveryClassWord =
  | 'retry_now'
  | 'wait_then_retry'
  | 'refresh_then_retry'
  | 'redelegation_then_retry'
  | 'revalidate_then_retry'
  | 'terminal'

export type ResolutionAction = keyof typeof RECOVERY_CLASS_OF
export type RecoveryClass = (typeof RECOVERY_CLASS_OF)[ResolutionAction]

export interface FailureRow {
  /** HTTP status. */
  readonly status: number
  /** May the very same call, unchanged, succeed later? */
  readonly retry: boolean
  readonly action: ResolutionAction
  /** Error of a challenge, where another credential would help (RFC 6750, section 3.1). */
  readonly challenge?: 'invalid_token' | 'insufficient_scope'
  /** The reason in permission discovery, for types that a token alone can cause (section 4.5). */
  readonly reason?: ReasonType
  /** The fixed sentence that a redacted caller reads instead of the detail. */
  readonly sentence: string
}

/** Failure type -> what it means on the wire: the only place of these facts (sections 4.5 and 7). */
// prettier-ignore
export const FAILURES = {
  authentication_required:           { status: 401, retry: false, action: 'provide_credentials', challenge: 'invalid_token', sentence: 'A valid credential is required.' },
  invalid_token:                     { status: 401, retry: false, action: 'request_new_delegation', challenge: 'invalid_token', sentence: 'The delegation token is not valid.' },
  token_expired:                     { status: 401, retry: false, action: 'request_new_delegation', challenge: 'invalid_token', sentence: 'The delegation token has expired.' },
  token_revoked:                     { status: 401, retry: false, action: 'request_new_delegation', challenge: 'invalid_token', sentence: 'The delegation token was revoked.' },
  scope_insufficient:                { status: 403, retry: false, action: 'request_broader_scope',     reason: 'insufficient_scope', challenge: 'insufficient_scope', sentence: 'The token lacks a required scope.' },
  scope_escalation:                  { status: 403, retry: false, action: 'request_broader_scope', challenge: 'insufficient_scope', sentence: 'The requested authority exceeds what may be given.' },
  insufficient_authority:            { status: 403, retry: false, action: 'provide_credentials',       sentence: 'The credential does not allow this operation.' },
  purpose_mismatch:                  { status: 403, retry: false, action: 'request_new_delegation',    reason: 'stronger_delegation_required', sentence: 'The token is bound to another purpose.' },
  delegation_depth_exceeded:         { status: 403, retry: false, action: 'request_deeper_delegation', reason: 'insufficient_delegation_depth', sentence: 'The delegation chain is too deep.' },
  non_delegable_action:              { status: 403, retry: false, action: 'invoke_as_root_principal',  reason: 'non_delegable', sentence: 'Only the root principal may invoke this capability.' },
  connection_required:               { status: 403, retry: true,  action: 'provide_credentials',       sentence: 'An account that the call uses is not connected.' },
  control_requirement_unsatisfied:   { status: 403, retry: false, action: 'request_capability_binding', reason: 'unmet_control_requirement', sentence: 'A control requirement of the capability is not met.' },
  budget_exceeded:                   { status: 403, retry: false, action: 'request_budget_increase',   reason: 'unmet_control_requirement', sentence: 'The cost exceeds the budget.' },
  budget_currency_mismatch:          { status: 403, retry: false, action: 'obtain_matching_currency',  reason: 'unmet_control_requirement', sentence: 'The budget and the cost have different currencies.' },
  budget_not_enforceable:            { status: 403, retry: false, action: 'obtain_quote_first',        reason: 'unmet_control_requirement', sentence: 'The cost cannot be checked without a quote.' },
  binding_missing:                   { status: 400, retry: false, action: 'obtain_binding',            sentence: 'A required binding is missing.' },
  binding_stale:                     { status: 409, retry: true,  action: 'refresh_binding',           sentence: 'A binding is not valid any more.' },
  approval_required:                 { status: 403, retry: false, action: 'request_approval',          sentence: 'An approval is required.' },
  approval_denied:                   { status: 403, retry: false, action: 'contact_service_owner',     sentence: 'A person denied the call.' },
  approval_returned:                 { status: 403, retry: false, action: 'revise_parameters',         sentence: 'A person sent the call back with a question.' },
  approval_grant_invalid:            { status: 403, retry: false, action: 'request_approval',          sentence: 'The approval grant does not allow this invocation.' },
  approval_request_not_found:        { status: 404, retry: false, action: 'check_manifest',            sentence: 'There is no such approval request.' },
  approval_request_closed:           { status: 409, retry: false, action: 'revalidate_state',          sentence: 'The approval request is not pending any more.' },
  approver_not_authorized:           { status: 403, retry: false, action: 'request_broader_scope',     sentence: 'The approver may not decide this request.' },
  grant_policy_violation:            { status: 400, retry: false, action: 'revalidate_state',          sentence: 'The grant is outside the policy of the request.' },
  invalid_parameters:                { status: 400, retry: false, action: 'check_manifest',            sentence: 'The request is not valid.' },
  clarification_required:            { status: 422, retry: false, action: 'provide_input',             sentence: 'An input needs clarification.' },
  unknown_capability:                { status: 404, retry: false, action: 'check_manifest',            sentence: 'There is no such capability.' },
  not_found:                         { status: 404, retry: false, action: 'check_manifest',            sentence: 'There is no such resource.' },
  streaming_not_supported:           { status: 400, retry: false, action: 'check_manifest',            sentence: 'The capability does not stream.' },
  unsupported_version:               { status: 400, retry: false, action: 'check_manifest',            sentence: 'The version is not supported.' },
  concurrent_request_rejected:       { status: 409, retry: true,  action: 'wait_and_retry',            sentence: 'Another invocation of this token is in flight.' },
  idempotency_in_progress:           { status: 409, retry: true,  action: 'wait_and_retry',            sentence: 'The first call with this idempotency key is in flight.' },
  idempotency_conflict:              { status: 409, retry: false, action: 'revalidate_state',          sentence: 'The idempotency key was used with other parameters.' },
  rate_limited:                      { status: 429, retry: true,  action: 'wait_and_retry',            sentence: 'Too many requests.' },
  payload_too_large:                 { status: 413, retry: false, action: 'check_manifest',            sentence: 'The request body is too large.' },
  unsupported_media_type:            { status: 415, retry: false, action: 'check_manifest',            sentence: 'The request body must be JSON.' },
  method_not_allowed:                { status: 405, retry: false, action: 'check_manifest',            sentence: 'The method is not allowed here.' },
  composition_child_failed:          { status: 424, retry: false, action: 'contact_service_owner',     sentence: 'A step of the composition failed.' },
  composition_empty_result:          { status: 422, retry: false, action: 'revalidate_state',          sentence: 'A step of the composition found nothing.' },
  outcome_unknown:                   { status: 500, retry: false, action: 'contact_service_owner',     sentence: 'The outcome of the invocation is unknown.' },
  service_unavailable:               { status: 503, retry: true,  action: 'wait_and_retry',            sentence: 'The service is not available.' },
  upstream_answer_invalid:           { status: 502, retry: false, action: 'contact_service_owner',     sentence: 'The service behind answered with something else than is described.' },
  internal_error:                    { status: 500, retry: false, action: 'contact_service_owner',     sentence: 'The service failed.' },
} as const satisfies { readonly [type: string]: FailureRow }

export type FailureType = keyof typeof FAILURES

/** Status of a business failure that names none. */
export const BUSINESS_FAILURE_STATUS = 422

/** Reasons why an approval grant does not allow a continuation. */
export const GRANT_REFUSALS = [
  'not_found', 'expired', 'consumed', 'revoked', 'request_mismatch', 'capability_mismatch', 'parameters_mismatch', 'scope_mismatch',
  'requester_mismatch', 'session_mismatch', 'approver_not_allowed',
] as const // prettier-ignore
export type GrantRefusal = (typeof GRANT_REFUSALS)[number]

/** The capability to call first, and whether the failed call may be made again after it (decisions, section 21). */
export interface RecoveryTarget {
  readonly capability: string
  readonly retry_after_recovery: boolean
}

export interface FailureResolution {
  readonly action: string
  readonly recovery_class: RecoveryClass
  readonly requires?: string
  readonly grantable_by?: string
  readonly estimated_availability?: string
  readonly recovery_target?: RecoveryTarget
}

export interface ClarificationInput {
  readonly name: string
  readonly reason: 'missing' | 'ambiguous' | 'unresolved'
  readonly description?: string
  readonly allowed_values?: readonly Json[]
  readonly candidates?: readonly Json[]
  readonly catalog_ref?: string
  readonly input_meanings?: readonly InputMeaning[]
}

/** The failure of section 7 with every member that some type carries. */
export interface Failure {
  readonly type: string
  readonly detail: string
  readonly retry: boolean
  readonly resolution: FailureResolution
  readonly approval_request_id?: string
  /** For `approval_required`: the page where a person decides, where a console is served. */
  readonly approval_url?: string
  /** For `connection_required`: the page where the person connects the account, where a console is served. */
  readonly connection_url?: string
  readonly preview_digest?: string
  readonly requested_parameters_digest?: string
  readonly grant_policy?: GrantPolicy
  /** Decision of a person about this very call: for `approval_denied` and `approval_returned`. */
  readonly decision?: ApprovalDecision
  readonly clarification?: { readonly inputs: readonly ClarificationInput[] }
  /** For `approval_grant_invalid`. */
  readonly reason?: GrantRefusal
  /** For `composition_child_failed`: the step that failed, and how to undo what earlier steps did. */
  readonly step?: { readonly id: string; readonly capability: string; readonly failure_type: string }
  readonly compensations?: readonly {
    readonly step: string
    readonly capability: string
    readonly compensation: string
  }[]
  /** Data of a business failure, given by the handler. */
  readonly data?: JsonObject
}

type FailureExtra = Omit<Partial<Failure>, 'type' | 'detail' | 'retry' | 'resolution'> & {
  readonly action?: ResolutionAction
} & Omit<FailureResolution, 'action' | 'recovery_class'>

/** Makes the failure of a known type: retry, action and recovery class come from the table (section 7). */
export function failure(type: FailureType, detail: string, extra: FailureExtra = {}): Failure {
  const {
    action = FAILURES[type].action,
    requires,
    grantable_by,
    estimated_availability,
    recovery_target,
    ...members
  } = extra
  return {
    type,
    detail,
    retry: FAILURES[type].retry,
    resolution: resolution(action, { requires, grantable_by, estimated_availability, recovery_target }),
    ...members,
  }
}

/** Makes a business failure, whose type only the manifest's author knows; it is never worth an unchanged retry. */
export function businessFailure(type: string, detail: string, data?: JsonObject): Failure {
  return {
    type,
    detail,
    retry: false,
    resolution: resolution('revalidate_state', {}),
    ...(data === undefined ? {} : { data }),
  }
}

/** A failure that says after how many seconds another try makes sense. */
export const availableIn = (reason: Failure, seconds: number): Failure => ({
  ...reason,
  resolution: { ...reason.resolution, estimated_availability: durationText(seconds) },
})

/** A time to wait in its largest unit, rounded up: `30s`, `5m`, `24h` (section 7). */
function durationText(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)}s`
  return seconds < 3600 ? `${Math.ceil(seconds / 60)}m` : `${Math.ceil(seconds / 3600)}h`
}

/** The HTTP status of a failure type; a type outside the table is a business failure. */
export const statusOf = (type: string): number =>
  Object.hasOwn(FAILURES, type) ? FAILURES[type as FailureType].status : BUSINESS_FAILURE_STATUS

type Guidance = { readonly [member in Exclude<keyof FailureResolution, 'action' | 'recovery_class'>]?: unknown }

function resolution(action: ResolutionAction, guidance: Guidance): FailureResolution {
  const given = Object.entries(guidance).filter(([, value]) => value !== undefined)
  return { action, recovery_class: RECOVERY_CLASS_OF[action], ...Object.fromEntries(given) }
}
