import { failure, type Failure } from '../../protocol/failures.js'
import type { JsonObject, CompositionStep } from '../../protocol/manifest.js'
import { continuedGrant } from '../approvals/continue.js'
import { presentedGrant } from '../approvals/presented-grant.js'
import { decidingFacts } from './checks/deciding-facts.js'
import {
  APPROVAL_CHECKS,
  BINDING_CHECKS,
  CALL_CHECKS,
  firstFailure,
  FIELD_CHECKS,
  PRICE_CHECKS,
  TOKEN_CHECKS,
} from './checks/index.js'
import { usesGrant } from './checks/approval-is-given.js'
import type { CallFacts, Check, GovernedFacts } from './checks/facts.js'
import { resolveInputs } from './inputs/resolve.js'
import { present } from '../json/present.js'
import { Refusal } from '../errors/refusal.js'
import type { Service } from '../service.js'
import { StorageUnavailable, type Settlement } from '../storage/contract.js'
import { askForApproval, asksWithinSteps, assertNotWaiting } from './approval.js'
import { totalOf } from './execute/compose.js'
import { envelopeOf, statusOfOutcome, type Answer } from './settle/envelope.js'
import { execute } from './execute/execute.js'
import { gatherApproval, gatherCall, gatherPrice, grantIdOf, presentedBindings } from './facts/gather.js'
import { tellOfStep } from './reserve/budget-hold.js'
import { claimKey } from './reserve/idempotency.js'
import { ApprovalNeeded, Interrupted } from './execute/interruptions.js'
import { begin, type Invocation } from './invocation.js'
import type { Done, Failed, Outcome } from './settle/outcome.js'
import { budgetContextOf, priceOf } from './facts/price.js'
import { record, settlementOf } from './settle/record.js'
import { reserve } from './reserve/reserve.js'

/** What an invocation is answered with. */
export interface Ending extends Answer {
  readonly replayed?: true
  readonly retryAfter?: number
}

/** One invocation, from its beginning to its answer (section 4.6): the only place that decides how it ends. */
export async function invoke(service: Service, invocation: Invocation): Promise<Ending> {
  const outcome = await settle(service, invocation)
  if ('replayed' in outcome) return outcome
  const answer = { status: statusOfOutcome(outcome), body: JSON.stringify(envelopeOf(service, invocation, outcome)) }
  const { status, body } = await recordOrSaySo(service, invocation, outcome, answer)
  if (invocation.soFar.lease !== undefined) await giveUpLease(service, invocation)
  return { status, body, ...(!outcome.ok && outcome.retryAfter !== undefined && { retryAfter: outcome.retryAfter }) }
}

/** Gather, check, reserve, execute. Whatever is thrown on the way becomes an outcome here. */
async function settle(service: Service, invocation: Invocation): Promise<Outcome> {
  try {
    const call = gatherCall(service, invocation)
    hold(CALL_CHECKS, call)
    if (call.capability.composition !== undefined) hold(TOKEN_CHECKS, decidingFacts(service.capabilities, call))
    hold(FIELD_CHECKS, call)
    const inputs = await resolveInputs(service, call)
    const earlier =
      invocation.idempotencyKey === undefined
        ? undefined
        : await claimKey(service, invocation, invocation.idempotencyKey, inputs)
    return earlier ?? (await perform(service, invocation, call, inputs))
  } catch (error) {
    return failed(service, invocation, error)
  }
}

async function perform(
  service: Service,
  invocation: Invocation,
  call: CallFacts,
  inputs: JsonObject,
): Promise<Outcome> {
  invocation.soFar.inputs = inputs
  const facts = await govern(service, invocation, call, inputs)
  if (asksWithinSteps(service, invocation)) await assertNotWaiting(service, invocation, inputs)
  await reserve(service, invocation, facts)
  try {
    return await execute(service, invocation, facts, runStep)
  } catch (error) {
    if (!(error instanceof ApprovalNeeded)) throw error
    // A handler asks before it does anything, so nothing has begun.
    delete invocation.soFar.started
    throw await askForApproval(service, invocation, facts, error.preview)
  }
}

/** The checks that need prices, budgets and approvals; what they learn is kept for the envelope and the trail. */
async function govern(
  service: Service,
  invocation: Invocation,
  call: CallFacts,
  inputs: JsonObject,
): Promise<GovernedFacts> {
  const { soFar } = invocation
  const required = call.capability.requires_binding
  const bindings = required === undefined ? [] : await presentedBindings(service, call, required, inputs)
  const priced = gatherPrice(service, call, inputs, bindings)
  hold(BINDING_CHECKS, priced)
  const price = priceOf(priced)
  const budget = budgetContextOf(priced)
  if (price !== undefined) soFar.checked = price
  if (budget !== undefined) soFar.budget = budget
  hold(PRICE_CHECKS, priced)
  const grantId = grantIdOf(invocation) ?? (await continuedGrant(service, invocation, priced))
  const grant = grantId === undefined ? undefined : await presentedGrant(service, grantId)
  const facts = gatherApproval(service, invocation, priced, grantId, grant)
  const refused = firstFailure(APPROVAL_CHECKS, facts)
  if (refused?.type === 'approval_required') throw await askForApproval(service, invocation, facts)
  if (refused !== undefined) throw new Refusal(refused)
  const { presented, coversStep } = facts.approval
  if (coversStep) Object.assign(soFar, grantOf(invocation.composedBy))
  if (presented === undefined || !usesGrant(facts)) return facts
  soFar.grantId = presented.grant.grant_id
  soFar.approvalRequestId = presented.grant.approval_request_id
  if (presented.grant.step === undefined) return facts
  soFar.approvedStep = presented.grant.step
  soFar.finished = [...(presented.request?.progress ?? [])]
  return facts
}

/** Under which grant an approved step runs, for the trail. */
const grantOf = (whole: Invocation | undefined) =>
  present({ grantId: whole?.soFar.grantId, approvalRequestId: whole?.soFar.approvalRequestId })

function hold<Facts>(checks: readonly Check<Facts>[], facts: Facts): void {
  const refused = firstFailure(checks, facts)
  if (refused !== undefined) throw new Refusal(refused)
}

/** A step of a composition: an invocation of its own, on the trail if the composition says so. */
async function runStep(
  service: Service,
  parent: Invocation,
  step: CompositionStep,
  parameters: JsonObject,
): Promise<Done | Failed> {
  const { composition, cost } = service.capabilities.get(parent.name)!
  const { audit_policy } = composition!
  const { task_id, client_reference_id, upstream_service } = parent.request
  const lineage = audit_policy.parent_task_lineage ? { task_id, client_reference_id, upstream_service } : {}
  const child = begin({
    id: service.ids.invocation(),
    name: step.capability,
    token: parent.token,
    request: JSON.parse(
      JSON.stringify({ parameters, parent_invocation_id: parent.id, ...lineage }),
    ) as Invocation['request'],
    composedBy: parent,
    stepId: step.id,
    listener: parent.listener && { ...parent.listener, started: () => undefined },
  })
  const outcome = (await settle(service, child)) as Done | Failed
  const isEstimate = service.capabilities.get(step.capability)!.cost?.certainty === 'estimated'
  if (isEstimate && cost === undefined) tellOfStep(parent, child, outcome)
  if (outcome.cost !== undefined)
    (parent.soFar.steps ??= []).push({ cost: outcome.cost, isHeldApart: child.soFar.hold !== undefined })
  if (!audit_policy.record_child_invocations && child.soFar.intent !== true) return outcome
  const settlement = settlementOf(service, child, outcome, { status: statusOfOutcome(outcome), body: '' })
  const untold = await whyUntold(service, child, settlement)
  return untold === undefined ? outcome : { ok: false, failure: untold }
}

/** A failure as the caller may know it: a refusal as it is, everything unexpected without its text. */
function failed(service: Service, invocation: Invocation, error: unknown): Failed {
  const cost = invocation.soFar.reported
  const spent = cost === undefined ? totalOf(invocation) : { cost }
  if (error instanceof Refusal) {
    const { failure: reason, status, retryAfter } = error
    return { ok: false, failure: reason, ...spent, ...(status && { status }), ...(retryAfter && { retryAfter }) }
  }
  service.log.error('An invocation failed.', {
    invocation_id: invocation.id,
    capability: invocation.name,
    error: reasonOf(error),
  })
  return { ok: false, failure: unexpected(service, invocation, error), ...spent }
}

function unexpected(service: Service, { name, soFar }: Invocation, error: unknown) {
  const mayHaveEffect = soFar.started === true && service.capabilities.get(name)?.side_effect.type !== 'read'
  const reason = error instanceof Interrupted ? error.message : 'The capability failed after it had begun.'
  if (mayHaveEffect) return failure('outcome_unknown', `${reason} It may or may not have done its work.`)
  if (error instanceof Interrupted) return failure('service_unavailable', error.message)
  if (error instanceof StorageUnavailable) return failure('service_unavailable', 'The store is not available.')
  return failure('internal_error', 'The service failed. The invocation id finds the reason in its log.')
}

const reasonOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : typeof error)

/** No answer before its entry is durable: if it cannot be, nobody is told of success (section 6). Gives what may be told. */
async function recordOrSaySo(
  service: Service,
  invocation: Invocation,
  outcome: Done | Failed,
  answer: Answer,
): Promise<Answer> {
  const settlement = settlementOf(service, invocation, outcome, answer)
  const untold = await whyUntold(service, invocation, settlement)
  if (untold === undefined) return answer
  const unrecorded = { ok: false, failure: untold } as const
  return { status: statusOfOutcome(unrecorded), body: JSON.stringify(envelopeOf(service, invocation, unrecorded)) }
}

/** Records a settlement, or gives the failure to tell instead of what it says; an intent that stays open is closed later. */
async function whyUntold(
  service: Service,
  invocation: Invocation,
  settlement: Settlement,
): Promise<Failure | undefined> {
  try {
    await record(service, invocation, settlement)
    return undefined
  } catch (error) {
    return whyUnrecorded(service, invocation, settlement, error)
  }
}

function whyUnrecorded(service: Service, { id, soFar }: Invocation, settlement: Settlement, error: unknown): Failure {
  service.log.error('An outcome could not be recorded.', { invocation_id: id, error: reasonOf(error) })
  if (error instanceof Refusal) return error.failure
  service.alarms.add('audit_unavailable')
  if (soFar.intent === true) service.unrecorded.push(settlement)
  const mayHaveEffect = soFar.started === true && soFar.intent === true
  if (!mayHaveEffect) return failure('service_unavailable', 'The outcome could not be recorded.')
  return failure('outcome_unknown', 'The outcome could not be recorded; it may or may not have happened.')
}

/** A lease that cannot be given up lapses by itself; the answer does not wait for that. */
async function giveUpLease(service: Service, { id, soFar }: Invocation): Promise<void> {
  await soFar.lease?.release().catch((error: unknown) => {
    service.log.warn('A lease could not be released.', { invocation_id: id, error: reasonOf(error) })
  })
}
