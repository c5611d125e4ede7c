/** Answers to a call about which a person decides, or has decided (decisions, section 15). */
import type { ApprovalRequest } from '../../protocol/approval.js'
import { failure, type Failure } from '../../protocol/failures.js'
import { approvalUrl } from '../events/approval-url.js'
import { Refusal } from '../errors/refusal.js'
import { present } from '../json/present.js'
import type { Service } from '../service.js'

/** s: the first wait of a caller; each later one is twice as long, up to the longest. */
const FIRST_WAIT = 30
const LONGEST_WAIT = 300

/**
 * Refuses a call that waits for a person. The same call continues it if it says `approval: "continue"`, so that it is
 * worth repeating; any other needs the grant first.
 */
export function waitsForPerson(service: Service, request: ApprovalRequest, continues: boolean): Refusal {
  const reason = failure('approval_required', detailOf(service, request, continues), {
    ...(continues && { action: 'wait_and_retry' as const }),
    ...present({ preview_digest: request.preview_digest }),
    approval_request_id: request.approval_request_id,
    ...approvalUrl(service, request.approval_request_id),
    requested_parameters_digest: request.requested_parameters_digest,
    grant_policy: request.grant_policy,
    requires: request.approver_scope ?? service.manifest.approvals.approver_scope ?? `approver:${request.capability}`,
  })
  return continues
    ? new Refusal({ ...reason, retry: true }, { retryAfter: secondsToTheNextTry(service, request) })
    : new Refusal(reason)
}

/**
 * Returns the wait: a caller that waits as told comes back at ages of 30, 90 and 210 s, then every 5 minutes; never
 * long after the expiry.
 */
function secondsToTheNextTry({ now }: Service, { status, created_at, expires_at }: ApprovalRequest): number {
  if (status === 'approved') return 1
  const age = Math.max(0, now() - Date.parse(created_at)) / 1000
  const left = (Date.parse(expires_at) - now()) / 1000
  return Math.max(1, Math.ceil(Math.min(FIRST_WAIT + age, LONGEST_WAIT, left)))
}

function detailOf(service: Service, request: ApprovalRequest, continues: boolean): string {
  const { approval_request_id: id, status, expires_at } = request
  const { approval_url } = approvalUrl(service, id)
  const where = approval_url === undefined ? '' : ` at ${approval_url}`
  if (status === 'approved') return `Make the same call again: a person has approved approval request ${id}.`
  const until = `${expires_at.slice(0, 16).replace('T', ' ')} UTC`
  return continues
    ? `Wait, then make the same call again: a person decides approval request ${id}${where}, until ${until}.`
    : `Approval request ${id} is open until ${until}: a person decides it${where}. Then make the same call with its grant.`
}

/** Fails a call that a person has denied, or has sent back with a question. */
export function refusedByPerson(service: Service, request: ApprovalRequest): Failure {
  const { approval_request_id, status, reason, decided_at } = request
  const isReturned = status === 'returned'
  return failure(isReturned ? 'approval_returned' : 'approval_denied', sentence(isReturned, reason), {
    approval_request_id,
    ...approvalUrl(service, approval_request_id),
    decision: { status, reason, decided_at },
  })
}

/** Ends the sentence, unless the person's words end it. */
function sentence(isReturned: boolean, reason: string | null): string {
  const text = `${isReturned ? 'Sent back by a person with a question' : 'Denied by a person'}${reason === null ? '' : `: ${reason}`}`
  return /[.!?]$/u.test(text) ? text : `${text}.`
}

/** Fails a call that was to continue with a grant, by the state of its request. */
export function withoutGrant(service: Service, request: ApprovalRequest): Failure {
  const { approval_request_id: id, status, reason, decided_at } = request
  if (status === 'pending' || status === 'approved') return waitsForPerson(service, request, true).failure
  if (status === 'denied' || status === 'returned') return refusedByPerson(service, request)
  const ending =
    status === 'expired' ? `Nobody decided approval request ${id} in time.` : `Approval request ${id} was ${status}.`
  return failure('approval_required', `${ending} The same call opens a new one.`, {
    approval_request_id: id,
    decision: { status, reason, decided_at },
  })
}
