import type { ApprovalRequest } from '../protocol/approval.js'
import type { JsonObject } from '../protocol/manifest.js'
import { approvalsOf } from './governance.js'
import type { AnyOutcome, CallOptions, Registration } from './invoke.js'
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

/** Waits for the decision by long-poll, and continues with the grant; on a refusal, tells what was decided. */
export async function resume(
  connection: Connection,
  pending: PendingCall,
  { signal }: WaitOptions,
): Promise<AnyOutcome> {
  const { capability, effect, unary, parameters, approval_request_id, ...lineage } = pending
  const registration = { capability, effect, ...(unary === false && { unary }) }
  const decided = await decision(connection, pending, signal)
  if (!decided.success) return decided
  const { grant_id, status } = decided.result
  if (status !== 'approved' || grant_id === undefined) return refusedBy(decided.result, pending)
  const signalled = signal === undefined ? {} : { signal }
  return call(connection, registration, parameters, { ...lineage, ...signalled, approval_grant: grant_id })
}

/** Asks until it is decided. A service that is away for a while, as for an update, does not end the wait. */
async function decision(
  connection: Connection,
  { approval_request_id: id, capability }: PendingCall,
  signal: AbortSignal | undefined,
) {
  const { read } = approvalsOf(connection)
  const attempt = async () => ({ outcome: await read(id, { wait: LONG_POLL, ...(signal && { signal }) }) })
  for (;;) {
    const answer = await withRetries(attempt, { retries: RECONNECTIONS, signal })
    if (!answer.success) return answer
    if (answer.result.approval_request_id !== id || answer.result.capability !== capability)
      throw new TransportError(`The service answered for another approval request than ${id}.`)
    if (answer.result.status !== 'pending') return answer
    await pause(BETWEEN_MS, signal)
  }
}

const refusedBy = (decided: ApprovalRequest, pending: PendingCall): AnyOutcome => ({
  success: false,
  failure: {
    type: 'approval_required',
    detail: ended(`The approval request was ${decided.status}${decided.reason === null ? '' : `: ${decided.reason}`}`),
    retry: false,
    resolution: { action: 'request_approval', recovery_class: 'wait_then_retry' },
    approval_request_id: decided.approval_request_id,
    requested_parameters_digest: decided.requested_parameters_digest,
    grant_policy: decided.grant_policy,
    pending,
    decision: decided,
  },
})

/** As a sentence; what a person gave as the reason may be one already. */
const ended = (text: string): string => (/[.!?]$/u.test(text) ? text : `${text}.`)
