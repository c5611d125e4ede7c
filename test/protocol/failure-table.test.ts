/** What each failure means on the wire: its status, and whether the very same call may succeed later (section 7). */
import { expect, it } from 'vitest'
import { failure, FAILURES, statusOf, type FailureType } from '../../src/protocol/failures.js'

const TYPES = Object.keys(FAILURES) as FailureType[]
const sorted = (names: readonly string[]) => [...names].sort()

it.each([
  [400, 'binding_missing grant_policy_violation invalid_parameters streaming_not_supported unsupported_version'],
  [401, 'authentication_required invalid_token token_expired token_revoked'],
  [403, 'scope_insufficient scope_escalation insufficient_authority purpose_mismatch delegation_depth_exceeded non_delegable_action connection_required control_requirement_unsatisfied budget_exceeded budget_currency_mismatch budget_not_enforceable approval_required approval_denied approval_returned approval_grant_invalid approver_not_authorized'],
  [404, 'approval_request_not_found unknown_capability not_found'],
  [405, 'method_not_allowed'],
  [409, 'binding_stale approval_request_closed concurrent_request_rejected idempotency_in_progress idempotency_conflict'],
  [413, 'payload_too_large'],
  [415, 'unsupported_media_type'],
  [422, 'clarification_required composition_empty_result'],
  [424, 'composition_child_failed'],
  [429, 'rate_limited'],
  [500, 'outcome_unknown internal_error'],
  [503, 'service_unavailable'],
])('the status %i is that of %s', (status, types) => {
  expect(sorted(TYPES.filter((type) => statusOf(type) === status))).toEqual(sorted(types.split(' ')))
}) // prettier-ignore

it('only these may succeed unchanged', () => {
  const retried = TYPES.filter((type) => failure(type, 'Why.').retry)
  expect(sorted(retried)).toEqual([
    'binding_stale',
    'concurrent_request_rejected',
    'connection_required',
    'idempotency_in_progress',
    'rate_limited',
    'service_unavailable',
  ])
})
