import { availableIn, failure } from '../../../protocol/failures.js'
import type { Service } from '../../service.js'
import type { Ended, FailedOutcome } from './outcome.js'

/**
 * A refused call that took no place among the invocations takes one among the entries of refused calls, so that nobody
 * fills the trail with what they may not do. Beyond that rate it is counted, and answered so (threat N10).
 */
export async function beyondRate(
  service: Service,
  { invocation, reserved, outcome }: Ended,
): Promise<FailedOutcome | undefined> {
  const hasPlace = reserved.place === true || reserved.intent === true || invocation.step !== undefined
  if (outcome.ok || hasPlace) return undefined
  const { root_principal } = invocation.token.claims
  const name = `refused ${root_principal}`
  if (service.rates.takeAtOnce(name)) return undefined
  const wait = await service.rates.take(name, service.limits.refusalsPerMinute)
  if (wait === undefined) return undefined
  service.refusalTally.count(root_principal, outcome.failure.type)
  const detail = `Too many calls of ${root_principal} were refused. Try again in ${wait} s.`
  return { ok: false, failure: availableIn(failure('rate_limited', detail), wait), retryAfter: wait }
}
