/** Approvals that may still lead to a call, and how one of several is taken away (threat N35). */
import type { Principal } from '../../../protocol/principals.js'
import type { ApprovalGiven, LentApproval } from '../approval-contract.js'
import { decidedIn } from './approval-rows.js'
import { countApprovals } from './approvals-given.js'
import { json, optionalText, textColumn } from './columns.js'
import { keep, row, rows, type StoragePlan, type WriteOutcome } from './plan.js'

const IS_LIVE = 'g.uses < g.max_uses and g.revoked_at is null and g.expires_at > :now'

/** The decision behind each grant that has a use left. */
const BEHIND_GRANTS = `
  select r.approval_request_id as approval_request_id, g.grant_id as grant_id, r.approver as approver,
    r.credential as decided_with, r.decided_by as decided_by
  from approval_grants g join approval_requests r on r.approval_request_id = g.approval_request_id
  where ${IS_LIVE} and r.approver is not null`

/** Each approval of several: of a pending request, or of one whose grant has a use left. */
const OF_SEVERAL = `
  select a.approval_request_id as approval_request_id, g.grant_id as grant_id, a.body as body
  from approvals_given a join approval_requests r on r.approval_request_id = a.approval_request_id
  left join approval_grants g on g.approval_request_id = a.approval_request_id
  where (g.grant_id is null and r.status = 'pending' and r.expires_at > :now) or (${IS_LIVE})`

const LAPSE = `
  delete from approvals_given where approval_request_id = ? and approver = ? and approval_request_id in (
    select approval_request_id from approval_requests where status = 'pending')
  returning approver`

export function* lentApprovals(): StoragePlan<readonly LentApproval[]> {
  const behind = (yield* rows(BEHIND_GRANTS)).map((stored) => {
    const { mac: _, ...decided } = decidedIn(stored)
    return { ...idsIn(stored), approver: textColumn(stored, 'approver') as Principal, ...decided }
  })
  const ofSeveral = (yield* rows(OF_SEVERAL)).map((stored) => {
    const { approver, by, credential } = json<ApprovalGiven>(stored, 'body')
    return { ...idsIn(stored), approver, ...(by && { by }), ...(credential && { credential }) }
  })
  return [...behind, ...ofSeveral]
}

function idsIn(stored: Parameters<typeof textColumn>[0]): Pick<LentApproval, 'approval_request_id' | 'grant_id'> {
  const grant_id = optionalText(stored, 'grant_id')
  return { approval_request_id: textColumn(stored, 'approval_request_id'), ...(grant_id !== null && { grant_id }) }
}

export function* lapse(id: string, approver: Principal): StoragePlan<WriteOutcome<boolean>> {
  if ((yield* row(LAPSE, id, approver)) === undefined) return keep(false)
  yield* countApprovals(id)
  return keep(true)
}
