import type { AnyOutcome, PendingCall, WaitOptions } from '../../client/index.js'
import type { ApprovalRequest } from '../../protocol/approval.js'
import { shellWord } from '../../protocol/shell.js'
import { printError } from '../shared/output/print.js'
import { printable } from '../shared/output/printable.js'

/** Returns the call to continue once a person has approved it; undefined if it does not wait. */
export function pendingOf(outcome: AnyOutcome): PendingCall | undefined {
  if (outcome.success || outcome.failure.type !== 'approval_required') return undefined
  return (outcome.failure as { readonly pending?: PendingCall }).pending
}

/** Waits for the decision, and prints on standard error who decides what, where, and how much time is left. */
export function announced(): WaitOptions {
  let isFirst = true
  return {
    wait: true,
    onPending: (request) => {
      printError(isFirst ? announcement(request) : `${timeLeft(request)} left.\n`)
      isFirst = false
    },
  }
}

const announcement = (request: ApprovalRequest): string => {
  const { approval_request_id: id, approval_url, expires_at } = request
  const where = approval_url === undefined ? `svc approvals show ${shellWord(id)}` : approval_url
  return [
    `Waiting for a person to decide approval request ${printable(id)}.`,
    `Decide: ${printable(where)}`,
    `${timeLeft(request)} left, until ${printable(expires_at)}.`,
    '',
  ].join('\n')
}

/** Time until the request expires, by this machine's clock. */
function timeLeft({ expires_at }: ApprovalRequest): string {
  const seconds = Math.max(0, Math.round((Date.parse(expires_at) - Date.now()) / 1000))
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
