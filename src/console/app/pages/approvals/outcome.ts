import type { ApprovalRequest, ApprovedOutcome } from '../../../../protocol/approval.js'
import type { Here } from '../../here.js'
import { useNow } from '../../hooks/use-now.js'
import { markup } from '../../markup.js'
import { Notice } from '../../parts/notice.js'
import { causeOf } from '../../words/outcome.js'
import { nameOf, whoBegins } from '../../words/people.js'
import { oneLine } from '../../words/safe-text.js'
import { both, local, span } from '../../words/time.js'
import { stateOf } from './states.js'

interface OutcomeProps {
  readonly here: Here
  readonly request: ApprovalRequest
  readonly onNext: () => void
}

/** Shows the outcome of a request in place of the decision. Whether the call has run is in the audit trail. */
export function Outcome({ here, request, onNext }: OutcomeProps) {
  const now = useNow()
  const { is, icon } = stateOf(request)
  const waits = here.pending.requests.some((each) => each.approval_request_id !== request.approval_request_id)
  return markup`
    <section class="panel decide" aria-label="Decision">
      <${Notice} is=${is} icon=${icon} role="status" title=${titleOf(request, here.person.principal, now)}>
        <div class="body">
          ${request.reason !== null && markup`<p>“<bdi>${oneLine(request.reason, 1000)}</bdi>”</p>`}
          <p class="small">${detailOf(request, now)}</p>
        </div>
        ${
          waits &&
          markup`<div class="acts">
            <button class="btn sm" onClick=${onNext}>Next request <kbd>J</kbd></button>
          </div>`
        }
      <//>
    </section>
  `
}

function titleOf(
  { status, approver, decided_at, expires_at, requester }: ApprovalRequest,
  me: string,
  now: number,
): string {
  const at = Date.parse(decided_at ?? expires_at)
  const ago = now - at
  const when = ago < 2000 ? 'just now' : ago < 60_000 ? `${span(ago)} ago` : `at ${local(at, now)}`
  if (status === 'expired') return `It expired at ${local(at, now)}. Nothing ran.`
  if (status === 'withdrawn') return `${nameOf(requester.subject)} withdrew it at ${local(at, now)}`
  const did = { approved: 'approved it', denied: 'denied it', returned: 'sent it back with a question', pending: '' }
  return `${whoBegins(approver, me)} ${did[status]} ${when}`
}

function detailOf(request: ApprovalRequest, now: number): string {
  const { status, decided_at, expires_at, requester, grant_policy, context } = request
  const agent = nameOf(requester.subject)
  const at = Date.parse(decided_at ?? expires_at)
  if (context?.outcome !== undefined) return ranAs(context.outcome, now)
  if (status === 'approved') {
    const until = at + grant_policy.expires_in_seconds * 1000
    return now < until
      ? `${agent} can go on until ${both(until, now)} at the latest. After that it must ask again.`
      : `The time in which ${agent} could go on is over.`
  }
  if (status === 'denied')
    return `${nothingRan(at, now)} The same call is refused with the reason for a while. ${readBy(request, now)}`
  if (status === 'returned') return `${nothingRan(at, now)} ${ANSWERED_ONCE} ${readBy(request, now)}`
  if (status === 'withdrawn') return 'Nothing ran, and nothing is left to decide.'
  return `Nobody decided in time. ${agent} may ask again; this request cannot be approved any more.`
}

const ANSWERED_ONCE = 'The same call is answered once with the question, then opens a new request.'

const nothingRan = (at: number, now: number): string => `At ${both(at, now)}. Nothing ran.`

/** Tells whether the agent has been answered with the decision. */
const readBy = ({ answered_at, requester }: ApprovalRequest, now: number): string =>
  answered_at === undefined
    ? `${nameOf(requester.subject)} has not read it.`
    : `Read by ${nameOf(requester.subject)} at ${local(Date.parse(answered_at), now)}.`

/** Result of the approved call. */
function ranAs({ success, failure_type, invocation_id, timestamp }: ApprovedOutcome, now: number): string {
  const at = local(Date.parse(timestamp), now)
  if (success) return `It ran at ${at}, and is done: invocation ${invocation_id}.`
  return failure_type === 'outcome_unknown'
    ? `It ran at ${at}, and its outcome is unknown: invocation ${invocation_id}. An operator settles it.`
    : `It ran at ${at}, and ${causeOf(failure_type)}: invocation ${invocation_id}.`
}
