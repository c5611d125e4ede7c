/** What became of earlier requests for the very same call (decisions, section 10). */
import type { EarlierRequests, SameCall, Since } from '../contract.js'
import { REQUEST_COLUMNS, requestOf } from './approval-rows.js'
import { integer, optionalText, textColumn } from './columns.js'
import { row, type StoragePlan } from './plan.js'

const SAME_CALL = 'root_principal = ? and capability = ? and digest = ?'

const FIND_GRANT = `
  select grant_id from approval_grants join approval_requests using (approval_request_id)
  where ${SAME_CALL} and subject = ? and coalesce(session_id, '') = ? and coalesce(task_id, '') = ?
    and status = 'approved' and uses < max_uses and revoked_at is null and approval_grants.expires_at > :now
  order by decided_at desc, approval_grants.expires_at desc limit 1`

const DAY_MS = 24 * 3600 * 1000

const FIND_SPENT = `
  select spent_by, session_id, task_id,
    case when exists (select 1 from intents where invocation_id = spent_by) then 1 else 0 end as running
  from approval_grants join approval_requests using (approval_request_id)
  where ${SAME_CALL} and subject = ? and spent_by is not null and spent_at > :now - ${DAY_MS}
  order by running desc, spent_at desc limit 1`

const FIND_DENIED = `
  select ${REQUEST_COLUMNS} from approval_requests
  where ${SAME_CALL} and status = 'denied' and decided_at > ?
  order by decided_at desc limit 1`

const FIND_RETURNED = `
  select ${REQUEST_COLUMNS} from approval_requests
  where ${SAME_CALL} and subject = ? and status = 'returned' and answered_at is null and decided_at > ?
  order by decided_at desc limit 1`

export function* earlierOf(call: SameCall, since: Since): StoragePlan<EarlierRequests> {
  const { subject, sessionId = '', taskId = '' } = call
  const same = [call.rootPrincipal, call.capability, call.digest] as const
  const granted = yield* row(FIND_GRANT, ...same, subject, sessionId, taskId)
  const spent = yield* row(FIND_SPENT, ...same, subject)
  const denied = yield* row(FIND_DENIED, ...same, since.denied)
  const returned = yield* row(FIND_RETURNED, ...same, subject, since.returned)
  const isSameSession =
    spent !== undefined &&
    (optionalText(spent, 'session_id') ?? '') === sessionId &&
    (optionalText(spent, 'task_id') ?? '') === taskId
  return {
    ...(granted !== undefined && { grantId: textColumn(granted, 'grant_id') }),
    ...(spent !== undefined && {
      spent: {
        invocationId: textColumn(spent, 'spent_by'),
        isRunning: isSameSession && integer(spent, 'running') === 1,
      },
    }),
    ...(denied !== undefined && { denied: requestOf(denied) }),
    ...(returned !== undefined && { returned: requestOf(returned) }),
  }
}
