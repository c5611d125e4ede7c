import { connect } from '../../client/index.js'
import type { PendingApproval } from '../../protocol/approval.js'
import { describedRequest } from '../approvals/run.js'
import type { AnyService } from '../service/connection.js'
import { devKeyOf } from './identities.js'

interface Asked {
  readonly url: string
  readonly id: string
}

/** The hot keys of an approver: `a` shows what has waited longest, `y` approves it, `n` denies it. */
export function approveKeys(root: string, say: (line: string) => void) {
  let asked: Asked | undefined
  const approvalsAt = (url: string) =>
    connect<AnyService>({ baseUrl: url, credential: devKeyOf(root, 'approver') }, {}).approvals
  const decide = (how: 'approve' | 'deny') => async (): Promise<void> => {
    if (asked === undefined) return
    const { url, id } = asked
    asked = undefined
    const approvals = approvalsAt(url)
    const answer =
      how === 'approve'
        ? await approvals.grant({ approval_request_id: id, grant_type: 'one_time' })
        : await approvals.deny(id)
    if (!answer.success) return say(`svc: ${answer.failure.detail}`)
    const { approvals: given, approvals_needed: needed } = answer.result as Partial<PendingApproval>
    const count = how === 'approve' && needed !== undefined ? ` (${given} of ${needed}; another person must, too)` : ''
    say(`${how === 'approve' ? 'Approved' : 'Denied'}: ${id}${count}`)
  }
  const show = async (url: string): Promise<void> => {
    const answer = await approvalsAt(url).list({ status: 'pending' })
    const request = answer.success ? answer.result.approval_requests.at(-1) : undefined
    asked = request && { url, id: request.approval_request_id }
    if (!answer.success) return say(`svc: ${answer.failure.detail}`)
    say(request === undefined ? 'No requests.' : `\n${describedRequest(request)}\nApprove it? y or n`)
  }
  return { show, approve: decide('approve'), deny: decide('deny') }
}
