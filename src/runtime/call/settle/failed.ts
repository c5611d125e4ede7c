import { failure, type Failure } from '../../../protocol/failures.js'
import { reasonOf } from '../../errors/reason.js'
import { Refusal } from '../../errors/refusal.js'
import type { Service } from '../../service.js'
import { StorageUnavailable } from '../../storage/contract.js'
import { Interrupted } from '../execute/interruptions.js'
import { byVerifying } from '../recovery-target.js'
import type { Invocation } from '../invocation.js'
import type { Reserved } from '../reserve/reserved.js'
import { totalOfSteps } from '../reserve/spent.js'
import type { FailedOutcome } from './outcome.js'

/** A failure as the caller may know it: a refusal as it is, everything unexpected without its text. */
export function failedWith(
  service: Service,
  invocation: Invocation,
  reserved: Reserved,
  error: unknown,
): FailedOutcome {
  const spent = reserved.reported === undefined ? totalOfSteps(reserved) : { cost: reserved.reported }
  if (error instanceof Refusal) {
    const { failure: reason, status, retryAfter } = error
    return { ok: false, failure: reason, ...spent, ...(status && { status }), ...(retryAfter && { retryAfter }) }
  }
  service.log.error('An invocation failed.', {
    invocation_id: invocation.id,
    capability: invocation.name,
    error: reasonOf(error),
  })
  return { ok: false, failure: unexpected(service, invocation, reserved, error), ...spent }
}

/**
 * Returns the failure for an unexpected error. After a capability with effects has begun, the outcome is unknown
 * (decisions, section 11).
 */
function unexpected(service: Service, { name }: Invocation, { begun }: Reserved, error: unknown): Failure {
  const capability = service.capabilities.get(name)
  const mayHaveEffect = begun === true && capability?.side_effect.type !== 'read'
  const reason = error instanceof Interrupted ? error.message : 'The capability failed after it had begun.'
  if (mayHaveEffect)
    return failure('outcome_unknown', `${reason} It may or may not have done its work.`, byVerifying(capability))
  if (error instanceof Interrupted) return failure('service_unavailable', error.message)
  if (error instanceof StorageUnavailable) return failure('service_unavailable', 'The store is not available.')
  return failure('internal_error', 'The service failed. The invocation id finds the reason in its log.')
}
