/** What was decided before about a requester and a capability (decisions, section 10). */
import type { Principal } from '../../../protocol/principals.js'
import type { PastDecision, StoredHistory, StoredRequest } from '../stored-request.js'
import { decidedIn } from './approval-rows.js'
import { integer, optionalText, textColumn } from './columns.js'
import { rows, type StoragePlan } from './plan.js'

/** Of so many requests of the root principal, the newest; so no reading is long. */
const NEWEST = `
  select approval_request_id, subject, capability, approver, decided_at, reason,
    credential as decided_with, decided_by, decided_mac,
    case when status = 'pending' and expires_at <= :now then 'expired' else status end as status
  from approval_requests where root_principal = ? order by created_at desc, approval_request_id desc limit 1000`

const OTHERS = `(${NEWEST}) as newest where subject = ? and capability = ? and approval_request_id <> ?`

const COUNTS = `
  select status, count(*) as requests from ${OTHERS} and status not in ('approved', 'denied', 'returned') group by status`

const DECIDED = `select * from ${OTHERS} and status in ('approved', 'denied', 'returned') order by decided_at desc`

export function* historyOf(request: StoredRequest): StoragePlan<StoredHistory> {
  const { root_principal, subject } = request.requester
  const asked = [root_principal, subject, request.capability, request.approval_request_id] as const
  const counted = yield* rows(COUNTS, ...asked)
  const decided = yield* rows(DECIDED, ...asked)
  return {
    undecided: Object.fromEntries(counted.map((each) => [textColumn(each, 'status'), integer(each, 'requests')])),
    decided: decided.map((each) => ({
      approval_request_id: textColumn(each, 'approval_request_id'),
      status: textColumn(each, 'status') as PastDecision['status'],
      approver: optionalText(each, 'approver') as Principal | null,
      decided_at: optionalText(each, 'decided_at'),
      reason: optionalText(each, 'reason'),
      decided: decidedIn(each),
    })),
  }
}
