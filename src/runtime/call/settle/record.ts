import { failure, type Failure } from '../../../protocol/failures.js'
import { traceMembers } from '../../telemetry/traced-log.js'
import { reasonOf } from '../../errors/reason.js'
import { byVerifying } from '../recovery-target.js'
import type { Service } from '../../service.js'
import type { Settlement } from '../../storage/contract.js'
import { isLasting } from '../reserve/lasting-refusal.js'
import { holdToSettle } from './budget.js'
import { draftOf } from './draft.js'
import type { SealedEnvelope } from './envelope.js'
import type { Ended, FailedOutcome } from './outcome.js'
import { beyondRate } from './refusal-rate.js'
import { retractKey } from './retract-key.js'

/**
 * Makes the end of an invocation durable before it is answered. Gives the failure that is answered instead where it
 * cannot be: nobody reads of a success without an entry (section 6).
 */
export async function record(
  service: Service,
  ended: Ended,
  answer?: SealedEnvelope,
): Promise<FailedOutcome | undefined> {
  const settlement = settlementOf(service, ended, answer)
  try {
    const beyond = await beyondRate(service, ended)
    if (beyond === undefined) return await makeDurable(service, ended, settlement)
    await giveBackClaim(service, ended)
    return beyond
  } catch (error) {
    return { ok: false, failure: unrecorded(service, ended, settlement, error) }
  }
}

/**
 * Everything that becomes true together when an invocation has ended so: entry, intent closed, budget hold settled,
 * answer kept.
 */
function settlementOf(service: Service, ended: Ended, answer: SealedEnvelope | undefined): Settlement {
  const { id } = ended.invocation
  const { claim, intent, begun } = ended.reserved
  const isKept = begun === true ? !mayComeAgain(service, ended) : isLasting(service, ended.invocation, ended.outcome)
  const key = isKept ? claim : undefined
  return {
    draft: draftOf(service, ended),
    closesIntent: intent === true ? id : undefined,
    hold: holdToSettle(ended),
    retentionMs: ended.outcome.ok || begun === true ? undefined : service.limits.refusalRetentionMs,
    answer: key && answer && { key, invocationId: id, status: answer.status, body: answer.body },
    givesBack: key === undefined && claim !== undefined ? { key: claim, invocationId: id } : undefined,
  }
}

/**
 * Another process may have presumed this invocation dead. Where nothing had begun, its key is free again for a call
 * that does.
 */
async function makeDurable(service: Service, ended: Ended, settlement: Settlement): Promise<FailedOutcome | undefined> {
  const sealed = await service.record(settlement)
  if (sealed !== undefined) return undefined
  if (ended.reserved.begun === true) return { ok: false, failure: PRESUMED_DEAD }
  await retractKey(service, settlement)
  return undefined
}

const PRESUMED_DEAD = failure(
  'outcome_unknown',
  'Another process presumed this invocation dead and recorded its outcome as unknown.',
)

/** A claim on an idempotency key whose answer is not kept is given back. */
async function giveBackClaim({ storage }: Service, { invocation, reserved: { claim } }: Ended): Promise<void> {
  if (claim !== undefined) await storage.idempotency.abandon(claim, invocation.id)
}

/**
 * True for a read that failed and may succeed unchanged: nothing was done, so its idempotency key need not keep the
 * failure.
 */
function mayComeAgain({ capabilities }: Service, { invocation, outcome }: Ended): boolean {
  const capability = capabilities.get(invocation.name)
  const isHarmless = capability?.side_effect.type === 'read' && capability.composition === undefined
  return isHarmless && !outcome.ok && outcome.failure.retry
}

/**
 * The failure that is answered where an outcome could not be recorded; an intent that stays open is closed when the
 * store is back.
 */
function unrecorded(service: Service, ended: Ended, settlement: Settlement, error: unknown): Failure {
  const { invocation, reserved } = ended
  service.log.error('An outcome could not be recorded.', {
    invocation_id: invocation.id,
    error: reasonOf(error),
    ...traceMembers(invocation.span?.context()),
  })
  service.alarms.add('audit_unavailable')
  if (reserved.intent === true) service.unrecorded.push(settlement)
  const mayHaveEffect = reserved.begun === true && reserved.intent === true
  if (!mayHaveEffect) return failure('service_unavailable', 'The outcome could not be recorded.')
  const detail = 'The call may have taken effect. Do not repeat it; check its effect first.'
  return failure('outcome_unknown', detail, byVerifying(service.capabilities.get(invocation.name)))
}
