/** Approval requests and grants (sections 2.12 and 4.7). */
import type { Principal } from '../../../protocol/principals.js'
import type { ApprovalState } from '../../../protocol/words.js'
import type { ApprovalGrant, ApprovalRequest } from '../../../protocol/approval.js'
import type {
  ApprovalGiven,
  ApprovalOpening,
  ApprovalStore,
  RequestDecision,
  OpeningLimits,
  Giving,
  OutgoingEvent,
  Quorum,
  StoredGrant,
  StoredRequest,
} from '../contract.js'
import { addApproval, countApprovals, givenOf } from './approvals-given.js'
import { lapse, lentApprovals } from './lent-approvals.js'
import { earlierOf } from './approval-earlier.js'
import { historyOf } from './approval-history.js'
import { fittingRequests, listRequests } from './approval-list.js'
import {
  INSERT_GRANT,
  DECISION_COLUMNS,
  INSERT_REQUEST,
  REQUEST_COLUMNS,
  decidedIn,
  decisionValues,
  grantValues,
  requestOf,
  requestValues,
} from './approval-rows.js'
import { integer, json, optionalInteger, optionalText, textColumn } from './columns.js'
import { padded } from './insert-many.js'
import { addEvent } from './outbox.js'
import { keep, row, sendOnly, undo, type Engine, type WriteOutcome, type StoragePlan, type Row } from './plan.js'

/** Holds the row of the root principal, so that two openings cannot both take the last place, or both ask the same. */
const HOLD_ROOT = `
  insert into approval_requesters (subject, root_principal, opened, touched_at) values ('', ?, 1, :now)
  on conflict (subject, root_principal) do update
  set opened = approval_requesters.opened + 1, touched_at = excluded.touched_at`

const EXPIRE_OWN = `
  update approval_requests set status = 'expired'
  where root_principal = ? and status = 'pending' and expires_at <= :now`

/** Before anything is opened: a request that is decided a moment later is still the answer to this call. */
const FIND_OWN = `
  select ${REQUEST_COLUMNS} from approval_requests
  where subject = ? and root_principal = ? and capability = ? and digest = ? and status = 'pending'`

const COUNT_PENDING = `
  select count(*) as root, count(case when root_token_id = ? then 1 end) as chain,
    count(case when subject = ? then 1 end) as own
  from approval_requests where root_principal = ? and status = 'pending'`

/** All that bounds an opening, within the statement that makes it. */
const INSERT_WITHIN_LIMITS = `
  ${INSERT_REQUEST}
  where (select count(*) from approval_requests where root_principal = ? and created_at > :now - 60000) < cast(? as bigint)
    and 1 = (
      select case when count(*) < cast(? as bigint) and count(case when root_token_id = ? then 1 end) < cast(? as bigint)
        and count(case when subject = ? then 1 end) < cast(? as bigint) then 1 else 0 end
      from approval_requests where root_principal = ? and status = 'pending')
  on conflict do nothing returning approval_request_id`

/** With the grant that answered it, so that the requester can continue. */
const GET = `
  select ${REQUEST_COLUMNS}, (select grant_id from approval_grants
    where approval_grants.approval_request_id = approval_requests.approval_request_id) as grant_id,
    (select spent_by from approval_grants
    where approval_grants.approval_request_id = approval_requests.approval_request_id) as used_by
  from approval_requests where approval_request_id = ?`

const decideSql = (standing: string): string => `
  update approval_requests set ${DECISION_COLUMNS}
  where approval_request_id = ? and status = 'pending' and expires_at > :now
    and not exists (select 1 from tokens where token_id in (${standing}) and revoked_at is not null)
  returning body, status, approver, decided_at, reason, approvals, answered_at`

const WITHDRAW = `
  update approval_requests set status = 'withdrawn', decided_at = ?
  where approval_request_id = ? and status = 'pending' and expires_at > :now
  returning body, status, approver, decided_at, reason, approvals, answered_at`

const ANSWERED = `
  update approval_requests set answered_at = :now
  where approval_request_id = ? and answered_at is null and status <> 'pending' returning approval_request_id`

/** Ends what is left of a grant, found by its own id or by that of the request that it answered. */
const revokeGrantSql = (key: 'grant_id' | 'approval_request_id'): string => `
  update approval_grants set revoked_at = :now
  where ${key} = ? and uses < max_uses and expires_at > :now and revoked_at is null
  returning approval_request_id`

const REVOKE_GRANT = revokeGrantSql('grant_id')
const REVOKE_GRANT_OF = revokeGrantSql('approval_request_id')

const GET_GRANT = `
  select g.body as grant_body, g.uses as uses, g.revoked_at as revoked_at, r.approver_scope as tier, r.status as status,
    r.approver as approver, r.decided_at as decided_at, r.reason as reason, r.credential as decided_with,
    r.decided_by as decided_by, r.decided_mac as decided_mac
  from approval_grants g join approval_requests r on r.approval_request_id = g.approval_request_id where g.grant_id = ?`

const SPEND = `
  update approval_grants set uses = uses + 1, spent_by = ?, spent_at = :now
  where grant_id = ? and uses < max_uses and expires_at > :now and revoked_at is null returning uses`

export const approvalStore = (engine: Engine): ApprovalStore => ({
  open: async (request, limits, event) =>
    (await engine.write(() => open(request, limits, event))) ?? engine.read(() => limitOf(request, limits)),
  get: (id) => engine.read(() => get(id)),
  list: (filter) => engine.search(() => listRequests(filter)),
  fitting: (filter) => engine.search(() => fittingRequests(filter)),
  earlier: (call, since) => engine.read(() => earlierOf(call, since)),
  withdraw: (id, at, event) => engine.write(() => withdraw(id, at, event)),
  deny: (id, decision, event, status = 'denied') =>
    engine[event === undefined ? 'writeSingly' : 'write'](() => deny(id, status, decision, event)),
  answered: (id) => engine.writeSingly(() => answered(id)),
  approve: (grant, decision, event, quorum) => engine.write(() => approve(grant, decision, event, quorum)),
  give: (id, given, seen) => engine.write(() => give(id, given, seen)),
  lent: () => engine.search(lentApprovals),
  lapse: (id, approver) => engine.write(() => lapse(id, approver)),
  given: (id) => engine.read(() => givenOf(id)),
  history: (request) => engine.read(() => historyOf(request)),
  grant: (grantId) => engine.read(() => storedGrant(grantId)),
  revokeGrant: (grantId) => engine.write(() => revokeOne(grantId)),
  spend: (grantId, invocationId) => engine.writeSingly(() => spend(grantId, invocationId)),
})

function* open(
  request: StoredRequest,
  limits: OpeningLimits,
  event: OutgoingEvent | undefined,
): StoragePlan<WriteOutcome<ApprovalOpening | undefined>> {
  const { subject, root_principal } = request.requester
  const chain = request.root_token_id ?? null
  yield* sendOnly(HOLD_ROOT, root_principal)
  yield* sendOnly(EXPIRE_OWN, root_principal)
  const same = yield* row(FIND_OWN, subject, root_principal, request.capability, request.requested_parameters_digest)
  if (same !== undefined) return keep({ outcome: 'pending', request: requestOf(same) })
  const within = [limits.pendingOfRoot, chain, limits.pendingOfChain, subject, limits.pending, root_principal]
  const made = yield* row(INSERT_WITHIN_LIMITS, ...requestValues(request), root_principal, limits.perMinute, ...within)
  if (made === undefined) return keep(undefined)
  if (event !== undefined) yield* addEvent(event)
  return keep({ outcome: 'created', request })
}

/** Which of the limits is met. */
function* limitOf(request: StoredRequest, limits: OpeningLimits): StoragePlan<ApprovalOpening> {
  const { subject, root_principal } = request.requester
  const counted = yield* row(COUNT_PENDING, request.root_token_id ?? null, subject, root_principal)
  return { outcome: 'too_many', limit: limitMet(counted, limits) ?? 'perMinute' }
}

function limitMet(counted: Row | undefined, limits: OpeningLimits): keyof OpeningLimits | undefined {
  if (counted === undefined || integer(counted, 'own') >= limits.pending) return 'pending'
  if (integer(counted, 'chain') >= limits.pendingOfChain) return 'pendingOfChain'
  return integer(counted, 'root') >= limits.pendingOfRoot ? 'pendingOfRoot' : undefined
}

function* get(id: string): StoragePlan<ApprovalRequest | undefined> {
  const stored = yield* row(GET, id)
  return stored === undefined ? undefined : requestOf(stored)
}

function* decide(
  id: string,
  status: 'approved' | 'denied' | 'returned',
  decision: RequestDecision,
): StoragePlan<ApprovalRequest | undefined> {
  const list = padded(decision.standing ?? [])
  const decided = yield* row(decideSql(list.marks), ...decisionValues(status, decision), id, ...list.values)
  return decided === undefined ? undefined : requestOf(decided)
}

function* deny(
  id: string,
  status: 'denied' | 'returned',
  decision: RequestDecision,
  event: OutgoingEvent | undefined,
): StoragePlan<WriteOutcome<ApprovalRequest | undefined>> {
  const denied = yield* decide(id, status, decision)
  if (denied !== undefined && event !== undefined) yield* addEvent(event)
  return keep(denied)
}

function* answered(id: string): StoragePlan<WriteOutcome<boolean>> {
  return keep((yield* row(ANSWERED, id)) !== undefined)
}

/** Pending becomes withdrawn; of an approved one the grant ends, if it has a use left. */
function* withdraw(
  id: string,
  at: string,
  event: OutgoingEvent | undefined,
): StoragePlan<WriteOutcome<StoredRequest | undefined>> {
  const withdrawn = yield* row(WITHDRAW, at, id)
  const ended = withdrawn === undefined ? yield* row(REVOKE_GRANT_OF, id) : undefined
  if (withdrawn === undefined && ended === undefined) return keep(undefined)
  if (event !== undefined) yield* addEvent(event)
  return keep(withdrawn === undefined ? yield* get(id) : requestOf(withdrawn))
}

function* approve(
  grant: ApprovalGrant,
  decision: RequestDecision,
  event: OutgoingEvent | undefined,
  quorum: Quorum | undefined,
): StoragePlan<WriteOutcome<ApprovalRequest | undefined>> {
  const id = grant.approval_request_id
  if (quorum !== undefined && (yield* addApproval(id, lastOf(decision, quorum), quorum)) !== 'given')
    return undo(undefined)
  if (quorum !== undefined) yield* countApprovals(id)
  const approved = yield* decide(id, 'approved', decision)
  if (approved === undefined || (approved.approvals ?? 1) < (approved.approvals_needed ?? 1)) return undo(undefined)
  yield* sendOnly(INSERT_GRANT, ...grantValues(grant))
  if (event !== undefined) yield* addEvent(event)
  return keep(approved)
}

const lastOf = ({ decidedMac: _, ...decision }: RequestDecision, { terms, mac }: Quorum): ApprovalGiven => ({
  ...decision,
  terms,
  ...(mac !== undefined && { mac }),
})

function* give(
  id: string,
  given: ApprovalGiven,
  seen: Pick<Quorum, 'counted' | 'lapsed'>,
): StoragePlan<WriteOutcome<Giving>> {
  const outcome = yield* addApproval(id, given, seen)
  if (outcome !== 'given') return undo({ outcome })
  const counted = yield* countApprovals(id)
  return counted === undefined ? undo({ outcome: 'closed' }) : keep({ outcome, request: requestOf(counted) })
}

function* storedGrant(grantId: string): StoragePlan<StoredGrant | undefined> {
  const stored = yield* row(GET_GRANT, grantId)
  if (stored === undefined) return undefined
  const decided = decidedIn(stored)
  return {
    grant: json<ApprovalGrant>(stored, 'grant_body'),
    uses: integer(stored, 'uses'),
    isRevoked: optionalInteger(stored, 'revoked_at') !== undefined,
    ...(decided.by && { givenBy: decided.by }),
    ...(decided.credential && { givenWith: decided.credential }),
    ...(optionalText(stored, 'tier') !== null && { tier: textColumn(stored, 'tier') }),
    ...(decided.mac !== undefined && { decision: { ...decisionIn(stored), decided } }),
  }
}

const decisionIn = (stored: Row) => ({
  status: textColumn(stored, 'status') as ApprovalState,
  approver: optionalText(stored, 'approver') as Principal | null,
  decided_at: optionalText(stored, 'decided_at'),
  reason: optionalText(stored, 'reason'),
})

function* revokeOne(grantId: string): StoragePlan<WriteOutcome<StoredRequest | undefined>> {
  const ended = yield* row(REVOKE_GRANT, grantId)
  return keep(ended === undefined ? undefined : yield* get(textColumn(ended, 'approval_request_id')))
}

function* spend(grantId: string, invocationId: string): StoragePlan<WriteOutcome<boolean>> {
  return keep((yield* row(SPEND, invocationId, grantId)) !== undefined)
}
