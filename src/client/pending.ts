import type { ApprovalRequest } from '../protocol/approval.js'
import type { JsonObject } from '../protocol/manifest.js'
import type { ApprovalState } from '../protocol/words.js'
import { approvalsOf } from './governance.js'
import type { AnyOutcome, CallOptions, Registration } from './invoke.js'
import type { ApprovalRefusal, Refused } from './outcome.js'
import { pause } from './pause.js'
import { withRetries } from './retry.js'
import { call } from './stream.js'
import type { PendingCall, WaitOptions } from './pending-call.js'
import { isPlaceable, TransportError, type Connection } from './transport.js'

/** Seconds that the service holds a question about a decision. */
const LONG_POLL = 20
const BETWEEN_MS = 100
/** In a row, with pauses of up to 10 s: minutes. */
const RECONNECTIONS = 30

/** The outcome, with what is needed to resume the call where it waits for an approval. */
export function withPending(
  registration: Registration,
  parameters: object,
  options: CallOptions,
  outcome: AnyOutcome,
): AnyOutcome {
  if (outcome.success || outcome.failure.type !== 'approval_required' || !('approval_request_id' in outcome.failure))
    return outcome
  const { approval_request_id } = outcome.failure
  if (!isPlaceable(approval_request_id))
    throw new TransportError('The service demands an approval, and names no approval request.')
  const { client_reference_id, task_id, parent_invocation_id, upstream_service, requested_effects, budget } = options
  const said = { client_reference_id, task_id, parent_invocation_id, upstream_service, requested_effects, budget }
  const kept = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined))
  const { capability, effect, unary } = registration
  const pending: PendingCall = {
    capability,
    effect,
    ...(unary === false && { unary }),
    parameters: parameters as JsonObject,
    approval_request_id,
    // The key of the call itself: whoever repeats the call under it gets its answer, and no second effect.
    idempotency_key: options.idempotency_key ?? crypto.randomUUID(),
    ...kept,
  }
  return { ...outcome, failure: { ...outcome.failure, pending } }
}

/** Resumes calls of one capability, and of no other. */
export const resumeOf =
  (connection: Connection, { capability }: Registration) =>
  async (pending: PendingCall, options: WaitOptions = {}): Promise<AnyOutcome> => {
    if (pending.capability === capability) return resume(connection, pending, options)
    throw new TypeError(`The pending call is one of ${pending.capability}, not of ${capability}.`)
  }

/** Asks once for the decision, or waits for it, and continues with the grant; else tells what was decided. */
export async function resume(connection: Connection, pending: PendingCall, options: WaitOptions): Promise<AnyOutcome> {
  const { capability, effect, unary, parameters, approval_request_id, ...lineage } = pending
  const { signal } = options
  const registration = { capability, effect, ...(unary === false && { unary }) }
  const decided = await decision(connection, pending, options)
  if (!decided.success) return decided
  const { grant_id, status } = decided.result
  if (status !== 'approved' || grant_id === undefined) return notApproved(decided.result, pending)
  const signalled = signal === undefined ? {} : { signal }
  return call(connection, registration, parameters, { ...lineage, ...signalled, approval_grant: grant_id })
}

/** Asks until it is decided, or the time is over. A service that is away for a while, as for an update, does not end the wait. */
async function decision(
  connection: Connection,
  { approval_request_id: id, capability }: PendingCall,
  { wait = false, onPending, signal }: WaitOptions,
) {
  const { read } = approvalsOf(connection)
  const until = wait === true ? Infinity : performance.now() + Number(wait) * 1000
  let isTold = onPending === undefined
  for (;;) {
    const left = isTold ? Math.ceil(Math.min(LONG_POLL, (until - performance.now()) / 1000)) : 0
    const options = { ...(left > 0 && { wait: left }), ...(signal && { signal }) }
    const attempt = async () => ({ outcome: await read(id, options) })
    const answer = await withRetries(attempt, { ...(wait !== false && { retries: RECONNECTIONS }), signal })
    if (!answer.success) return answer
    if (answer.result.approval_request_id !== id || answer.result.capability !== capability)
      throw new TransportError(`The service answered for another approval request than ${id}.`)
    if (answer.result.status !== 'pending') return answer
    onPending?.(answer.result)
    isTold = true
    if (performance.now() >= until) return answer
    await pause(BETWEEN_MS, signal)
  }
}

/** State of a request -> how a call ends that has no grant. */
const ENDINGS: { readonly [status in ApprovalState]: Pick<Refused<ApprovalRefusal>, 'type' | 'retry' | 'resolution'> } = {
  pending: { type: 'approval_required', retry: true, resolution: { action: 'wait_and_retry', recovery_class: 'wait_then_retry' } },
  approved: { type: 'approval_required', retry: true, resolution: { action: 'wait_and_retry', recovery_class: 'wait_then_retry' } },
  denied: { type: 'approval_denied', retry: false, resolution: { action: 'contact_service_owner', recovery_class: 'terminal' } },
  returned: { type: 'approval_returned', retry: false, resolution: { action: 'revise_parameters', recovery_class: 'revalidate_then_retry' } },
  expired: { type: 'approval_required', retry: false, resolution: { action: 'request_approval', recovery_class: 'wait_then_retry' } },
  withdrawn: { type: 'approval_required', retry: false, resolution: { action: 'request_approval', recovery_class: 'wait_then_retry' } },
} // prettier-ignore

function notApproved(decided: ApprovalRequest, pending: PendingCall): AnyOutcome {
  const ending = ENDINGS[decided.status]
  const { approval_request_id, approval_url, requested_parameters_digest, grant_policy, status } = decided
  const asked = { approval_request_id, ...(approval_url !== undefined && { approval_url }) }
  const open = { requested_parameters_digest, grant_policy, pending }
  const failure = {
    ...ending,
    detail: detailOf(decided),
    ...asked,
    ...(ending.type === 'approval_required' && open),
    ...(status !== 'pending' && { decision: decided }),
  }
  return { success: false, failure: failure as Refused<ApprovalRefusal> }
}

/** Returns the next step, or the words of a person, as the first sentence. */
function detailOf({ status, approval_request_id: id, reason, expires_at }: ApprovalRequest): string {
  const why = reason === null ? '' : `: ${reason}`
  if (status === 'approved') return `Make the same call again: approval request ${id} was approved.`
  if (status === 'pending')
    return `Wait, then resume the call: a person decides approval request ${id}, until ${expires_at}.`
  if (status === 'denied') return ended(`Denied by a person${why}`)
  if (status === 'returned') return ended(`Sent back by a person with a question${why}`)
  return status === 'expired'
    ? `Nobody decided approval request ${id} in time. The same call opens a new one.`
    : `Approval request ${id} was withdrawn. The same call opens a new one.`
}

/** As a sentence; what a person gave as the reason may be one already. */
const ended = (text: string): string => (/[.!?]$/u.test(text) ? text : `${text}.`)
