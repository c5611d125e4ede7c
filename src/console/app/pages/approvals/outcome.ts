import type { ApprovalRequest } from '../../../../protocol/approval.js'
import type { Here } from '../../here.js'
import { useNow } from '../../hooks/use-now.js'
import { markup } from '../../markup.js'
import { Notice } from '../../parts/notice.js'
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
  return `${whoBegins(approver, me)} ${status === 'approved' ? 'approved' : 'denied'} it ${when}`
}

function detailOf({ status, decided_at, expires_at, requester, grant_policy }: ApprovalRequest, now: number): string {
  const agent = nameOf(requester.subject)
  const at = Date.parse(decided_at ?? expires_at)
  if (status === 'approved') {
    const until = at + grant_policy.expires_in_seconds * 1000
    return now < until
      ? `${agent} can go on until ${both(until, now)} at the latest. After that it must ask again.`
      : `The time in which ${agent} could go on is over.`
  }
  if (status === 'denied') return `At ${both(at, now)}. ${agent} reads the reason. Nothing ran.`
  if (status === 'withdrawn') return 'Nothing ran, and nothing is left to decide.'
  return `Nobody decided in time. ${agent} may ask again; this request cannot be approved any more.`
}
