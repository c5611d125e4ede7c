import type { CompositionStep, JsonObject } from '../../../protocol/manifest.js'
import { present } from '../../json/present.js'
import type { Service } from '../../service.js'
import { priceOf } from '../facts/price.js'
import { begin, type Invocation, type Whole } from '../invocation.js'
import { releaseLeases } from '../reserve/lease.js'
import type { StepSpending } from '../reserve/reserved.js'
import { tracedCallOf } from '../../telemetry/tracing.js'
import { budgetAfter, settledHold } from '../settle/budget.js'
import type { Ended, CallOutcome } from '../settle/outcome.js'
import { record } from '../settle/record.js'

/** A step of a composition: an invocation of its own, under the caller's authority. */
export function beginStep(service: Service, whole: Whole, step: CompositionStep, parameters: JsonObject): Invocation {
  const { invocation, facts } = whole
  const { parent_task_lineage } = facts.capability.composition!.audit_policy
  const { task_id, client_reference_id, upstream_service, budget } = invocation.request
  const lineage = parent_task_lineage ? { task_id, client_reference_id, upstream_service } : {}
  const id = service.ids.invocation()
  return begin({
    id,
    name: step.capability,
    token: invocation.token,
    trace: invocation.trace,
    span: invocation.span?.step(tracedCallOf(service, step.capability, id)),
    request: present({ parameters, parent_invocation_id: invocation.id, ...lineage, budget }),
    listener: invocation.listener && { ...invocation.listener, started: () => undefined },
    step: { id: step.id, whole },
  })
}

/** Ends a step: notes and records it, then lets others go who wait for its values. */
export async function endStep(service: Service, whole: Whole, ended: Ended): Promise<CallOutcome> {
  const outcome = await noteStep(service, whole, ended)
  const { invocation, reserved } = ended
  invocation.span?.end(outcome.ok ? undefined : outcome.failure.type)
  if (reserved.leases !== undefined) await releaseLeases(service, invocation.id, reserved.leases)
  return outcome
}

/** Notes what a step has spent, and records it if the composition says so, or if it may have had an effect. */
async function noteStep(service: Service, { facts, reserved }: Whole, ended: Ended): Promise<CallOutcome> {
  const { outcome } = ended
  const isPricedApart = ended.facts.cost?.certainty === 'estimated' && facts.capability.cost === undefined
  ;(reserved.steps ??= []).push(spendingOf(ended, isPricedApart))
  const isRecorded = facts.capability.composition!.audit_policy.record_child_invocations
  if (!isRecorded && ended.reserved.intent !== true) return outcome
  return (await record(service, ended)) ?? outcome
}

function spendingOf(ended: Ended, isPricedApart: boolean): StepSpending {
  const budget = isPricedApart ? budgetAfter(ended) : undefined
  const heldUnits = settledHold(ended)?.units ?? 0n
  return present({
    cost: ended.outcome.cost,
    isHeldApart: ended.reserved.budgetHold !== undefined,
    isPricedApart,
    priced: budget && { budget, checked: priceOf(ended.facts), heldUnits },
  })
}
