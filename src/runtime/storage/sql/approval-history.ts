/** What was decided before about a requester and a capability (decisions, section 10). */
import type { EarlierDecision, RequestHistory } from '../../../protocol/approval.js'
import type { Principal } from '../../../protocol/principals.js'
import type { StoredRequest } from '../stored-request.js'
import { integer, optionalText, textColumn } from './columns.js'
import { rows, type StoragePlan } from './plan.js'

/** Of so many requests of the root principal, the newest; so no reading is long. */
const NEWEST = `
  select approval_request_id, subject, capability, approver, decided_at, reason,
    case when status = 'pending' and expires_at <= :now then 'expired' else status end as status
  from approval_requests where root_principal = ? order by created_at desc, approval_request_id desc limit 1000`

const OTHERS = `(${NEWEST}) as newest where subject = ? and capability = ? and approval_request_id <> ?`

const COUNTS = `select status, count(*) as requests from ${OTHERS} group by status`

const LAST = `
  select status, approver, decided_at, reason from ${OTHERS} and status in ('approved', 'denied')
  order by decided_at desc limit 5`

export function* historyOf(request: StoredRequest): StoragePlan<RequestHistory> {
  const { root_principal, subject } = request.requester
  const asked = [root_principal, subject, request.capability, request.approval_request_id] as const
  const counted = yield* rows(COUNTS, ...asked)
  const last = yield* rows(LAST, ...asked)
  const counts = Object.fromEntries(counted.map((each) => [textColumn(each, 'status'), integer(each, 'requests')]))
  return {
    counts: { approved: 0, denied: 0, ...counts },
    last: last.map((each) => ({
      status: textColumn(each, 'status') as EarlierDecision['status'],
      approver: textColumn(each, 'approver') as Principal,
      decided_at: textColumn(each, 'decided_at'),
      reason: optionalText(each, 'reason'),
    })),
  }
}
