import type { FailureType } from '../../../protocol/failures.js'

/** A check of a call, in the words of somebody who reads the trail, and the failures that it refuses with. */
export interface CheckWords {
  readonly says: string
  /** Text for a refusal. */
  readonly refused: string
  readonly types: readonly FailureType[]
}

export interface CheckGroup {
  readonly title: string
  readonly checks: readonly CheckWords[]
}

/** The checks in the order in which they run (section 5.7). */
// prettier-ignore
export const CHECK_GROUPS: readonly CheckGroup[] = [
  { title: 'Who calls', checks: [
    { says: 'Credential is present',        refused: 'The call had no credential',           types: ['authentication_required'] },
    { says: 'Token is genuine',             refused: 'The token is not valid',               types: ['invalid_token'] },
    { says: 'Token was not revoked',        refused: 'The token was revoked',                types: ['token_revoked'] },
    { says: 'Token has not expired',        refused: 'The token has expired',                types: ['token_expired'] },
  ] },
  { title: 'Request', checks: [
    { says: 'Capability exists',            refused: 'The capability is unknown',          types: ['unknown_capability'] },
    { says: 'Response mode is supported',   refused: 'It does not stream',                   types: ['streaming_not_supported'] },
  ] },
  { title: 'Authority', checks: [
    { says: 'Kind of principal may call',   refused: 'Only the root principal may call it',  types: ['non_delegable_action'] },
    { says: 'Scope covers it',              refused: 'The scope does not cover it',          types: ['scope_insufficient'] },
    { says: 'Purpose of the token matches', refused: 'The token is for something else',      types: ['purpose_mismatch'] },
    { says: 'Chain is short enough',        refused: 'The delegation chain is too long',     types: ['delegation_depth_exceeded'] },
    { says: 'Control requirements hold',    refused: 'A control requirement is not met',     types: ['control_requirement_unsatisfied'] },
    { says: 'Capability is not paused',     refused: 'The service does not take this call now', types: ['service_unavailable'] },
  ] },
  { title: 'Inputs', checks: [
    { says: 'Bindings are named',           refused: 'A binding is missing',                 types: ['binding_missing'] },
    { says: 'Inputs are valid',             refused: 'The inputs are not valid',             types: ['invalid_parameters', 'clarification_required'] },
    { says: 'Idempotency key is unused',    refused: 'Its idempotency key was used before',  types: ['idempotency_in_progress', 'idempotency_conflict'] },
    { says: 'Bindings are fresh and genuine', refused: 'A binding is no longer valid',    types: ['binding_stale'] },
  ] },
  { title: 'Money, approval, rate', checks: [
    { says: 'Budget covers it',             refused: 'The budget does not cover it',         types: ['budget_currency_mismatch', 'budget_not_enforceable', 'budget_exceeded'] },
    { says: 'Approval is given',            refused: 'An approval is missing',               types: ['approval_required', 'approval_denied', 'approval_returned', 'approval_grant_invalid'] },
    { says: 'Rate and concurrency',         refused: 'Too many calls at a time',             types: ['rate_limited', 'concurrent_request_rejected'] },
  ] },
]

const ALL = CHECK_GROUPS.flatMap(({ checks }) => checks)

/** The check that refuses with a failure; undefined where none does, and the handler was reached. */
export const checkOf = (failureType: string | null): CheckWords | undefined =>
  ALL.find(({ types }) => types.some((type) => type === failureType))

export const placeOf = (check: CheckWords): number => ALL.indexOf(check)
