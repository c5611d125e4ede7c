/**
 * How an approval request and its grant lie in their tables: the body never changes, the decision has columns of its
 * own.
 */
import type { ApprovalGrant } from '../../../protocol/approval.js'
import type { ProvenBy } from '../../../protocol/credential.js'
import type { Principal } from '../../../protocol/principals.js'
import type { ApprovalState } from '../../../protocol/words.js'
import type { RequestDecision } from '../approval-contract.js'
import type { StoredDecision, StoredRequest } from '../stored-request.js'
import { timestamp } from '../../json/timestamp.js'
import { json, optionalInteger, optionalText, textColumn } from './columns.js'
import type { Row, Value } from './plan.js'

/** Reads a pending request that is past its expiry as expired, by the back end's clock. */
export const REQUEST_COLUMNS = `
  body, case when status = 'pending' and expires_at <= :now then 'expired' else status end as status,
  approver, decided_at, reason, approvals, credential as decided_with, decided_by, decided_mac,
  answered_at`

export const INSERT_REQUEST = `
  insert into approval_requests
    (approval_request_id, capability, subject, root_principal, digest, body, created_at, expires_at,
     session_id, task_id, root_token_id, approver_scope, status)
  select ?, ?, ?, ?, ?, ?, cast(? as bigint), cast(? as bigint), ?, ?, ?, ?, 'pending'`

export const requestValues = (request: StoredRequest): readonly Value[] => [
  request.approval_request_id,
  request.capability,
  request.requester.subject,
  request.requester.root_principal,
  request.requested_parameters_digest,
  JSON.stringify(request),
  Date.parse(request.created_at),
  Date.parse(request.expires_at),
  request.session_id ?? null,
  request.task_id ?? null,
  request.root_token_id ?? null,
  request.approver_scope ?? null,
]

export function requestOf(stored: Row): StoredRequest {
  const grantId = optionalText(stored, 'grant_id')
  const usedBy = optionalText(stored, 'used_by')
  const body = json<StoredRequest>(stored, 'body')
  const decided = decidedIn(stored)
  const answered = optionalInteger(stored, 'answered_at')
  return {
    ...body,
    ...(body.approvals_needed !== undefined && { approvals: optionalInteger(stored, 'approvals') ?? 0 }),
    status: textColumn(stored, 'status') as ApprovalState,
    approver: optionalText(stored, 'approver') as Principal | null,
    decided_at: optionalText(stored, 'decided_at'),
    reason: optionalText(stored, 'reason'),
    ...(answered !== undefined && { answered_at: timestamp(answered) }),
    ...(grantId === null ? {} : { grant_id: grantId }),
    ...(usedBy !== null && { invocation_id: usedBy }),
    ...(decided.mac !== undefined && { decided }),
  }
}

/** Evidence of a decision in the columns `decided_with`, `decided_by` and `decided_mac`. */
export function decidedIn(stored: Row): StoredDecision {
  const mac = optionalText(stored, 'decided_mac')
  return {
    ...(optionalText(stored, 'decided_with') !== null && { credential: json<ProvenBy>(stored, 'decided_with') }),
    ...(optionalText(stored, 'decided_by') !== null && { by: json<readonly Principal[]>(stored, 'decided_by') }),
    ...(mac !== null && { mac }),
  }
}

/** Columns of a decision, in the order in which they are written. */
export const DECISION_COLUMNS = `
  status = ?, approver = ?, decided_at = ?, reason = ?, credential = ?, decided_by = ?, decided_mac = ?`

export const decisionValues = (
  status: ApprovalState,
  { approver, decided_at, reason, credential, by, decidedMac }: RequestDecision,
): readonly Value[] => [
  status,
  approver,
  decided_at,
  reason,
  credential === undefined ? null : JSON.stringify(credential),
  by === undefined ? null : JSON.stringify(by),
  decidedMac ?? null,
]

export const INSERT_GRANT = `
  insert into approval_grants (grant_id, approval_request_id, body, max_uses, uses, expires_at) values (?, ?, ?, ?, 0, ?)`

export const grantValues = (grant: ApprovalGrant): readonly Value[] => [
  grant.grant_id,
  grant.approval_request_id,
  JSON.stringify(grant),
  grant.max_uses,
  Date.parse(grant.expires_at),
]
