import type { ApprovedBefore } from '../../protocol/approval.js'
import { firstFailure } from './checks/index.js'
import type { GovernedFacts } from './facts/facts.js'
import { digestOf } from '../../crypto/json/digest.js'
import { durationMs } from '../../protocol/durations.js'
import { failure } from '../../protocol/failures.js'
import { approvedMeanwhile } from './continue.js'
import type { WaitingStep } from '../approvals/gated-step.js'
import { recordApproval } from '../approvals/record-approval.js'
import { raiseApproval } from './raise.js'
import { waitsForPerson } from '../approvals/answer-to-caller.js'
import type { Json } from '../../protocol/manifest.js'
import { ownCopy } from '../json/own-copy.js'
import { plainCopy } from '../json/plain-copy.js'
import { present } from '../json/present.js'
import { wellFormed } from '../json/well-formed.js'
import { Refusal } from '../errors/refusal.js'
import type { Service } from '../service.js'
import { needsOf } from '../approvals/tiers.js'
import { costToCompare, priceOf } from './facts/price.js'
import { handlerContextOf } from './execute/context.js'
import { refuseWhatIsUnaffordable } from './reserve/budget-hold.js'
import type { Invocation, StepOf } from './invocation.js'
import { timeLimit } from './execute/time-limit.js'

/** Enforces the check of approvals; where one is lacking, opens the request that the refusal names. */
export async function enforceApproval(
  service: Service,
  invocation: Invocation,
  facts: GovernedFacts,
): Promise<GovernedFacts> {
  const reason = firstFailure('approval', facts)
  if (reason === undefined) {
    await assertPreviewHolds(service, invocation, facts)
    return facts
  }
  if (reason.type !== 'approval_required') throw new Refusal(reason)
  await refuseWhatIsUnaffordable(service, invocation, facts)
  throw await askForApproval(service, invocation, facts)
}

/** Asks again where what was approved is not what would happen now, and shows both (decisions, section 17). */
async function assertPreviewHolds(service: Service, invocation: Invocation, facts: GovernedFacts): Promise<void> {
  if (!mustHold(facts) || facts.approval.used === undefined) return
  const { presented } = (invocation.step?.whole.facts ?? facts).approval
  const preview = await previewOf(service, invocation, facts)
  if (presented?.grant.preview_digest === (preview === undefined ? undefined : digestOf(preview))) return
  const { approvalRequestId: approval_request_id, grantId } = facts.approval.used
  await endOutdated(service, grantId)
  const approvedBefore = present({ approval_request_id, preview: presented?.request?.preview })
  throw await askForApproval(service, invocation, facts, { preview, approvedBefore })
}

/** Ends a grant whose preview holds no longer: what is decided now counts, also where what was shown comes back. */
async function endOutdated(service: Service, grantId: string): Promise<void> {
  const request = await service.storage.approvals.revokeGrant(grantId)
  if (request === undefined) return
  const reason = 'What was approved no longer holds.'
  await recordApproval(service, 'grant_revoked', request, { principal: 'service:approvals', grantId, reason })
}

const mustHold = ({ capability: { approval } }: GovernedFacts): boolean => approval?.preview === 'must_hold'

/** Preview that is known already, and the one before it. */
interface Shown {
  readonly preview?: Json | undefined
  readonly approvedBefore?: ApprovedBefore
}

/**
 * Opens a request for the approval that an invocation lacks. A step asks on behalf of the whole: the request is for,
 * and the grant will be bound to, the invocation that the caller can continue (decisions, section 4), and the grant
 * approves this one step.
 */
async function askForApproval(
  service: Service,
  invocation: Invocation,
  facts: GovernedFacts,
  shown: Shown = {},
): Promise<Refusal> {
  const whole = invocation.step?.whole
  if (whole !== undefined && !handsUpApprovals(service, whole.invocation)) return notContinuable(invocation)
  const call = whole ?? { invocation, facts }
  const approved = await approvedMeanwhile(service, call.invocation, call.facts)
  const continues = call.invocation.request.approval === 'continue'
  if (approved !== undefined) return waitsForPerson(service, approved, continues)
  const { refusal } = await raiseApproval(service, {
    capability: call.invocation.name,
    scope: call.facts.capability.minimum_scope,
    parameters: call.facts.inputs,
    preview: shown.preview ?? (await previewOf(service, invocation, facts)),
    approvedBefore: shown.approvedBefore,
    policy: facts.capability.approval!.grant_policy,
    needs: needsOf(facts.capability.approval!, costToCompare(facts)),
    bindings: facts.bindings,
    cost: priceOf(facts),
    boundUntil: boundUntil([...call.facts.bindings, ...facts.bindings]),
    token: call.invocation.token,
    parentInvocationId: call.invocation.lineage.parent_invocation_id,
    taskId: call.invocation.lineage.task_id,
    continues,
    waiting: invocation.step && waitingOf(service, invocation.step, facts),
  })
  return refusal
}

/** Opens a request that a handler asks for. A preview that must hold is the one that can be made again. */
export const askForHandler = (
  service: Service,
  invocation: Invocation,
  facts: GovernedFacts,
  preview: Json | undefined,
): Promise<Refusal> => askForApproval(service, invocation, facts, mustHold(facts) ? {} : { preview })

/** Returns when the first of these bindings becomes too old. */
function boundUntil(bindings: GovernedFacts['bindings']): number | undefined {
  const ends = bindings.flatMap(({ known, max_age }) =>
    known === undefined || max_age === undefined ? [] : [known.issued_at + (durationMs(max_age) ?? 0)],
  )
  return ends.length === 0 ? undefined : Math.min(...ends)
}

const handsUpApprovals = ({ capabilities }: Service, { name }: Invocation): boolean =>
  capabilities.get(name)?.composition?.failure_policy.child_approval_required === 'propagate'

const notContinuable = ({ name }: Invocation): Refusal =>
  new Refusal(failure('approval_required', `The capability ${name} needs an approval for these parameters.`))

function waitingOf({ limits }: Service, { id, whole }: StepOf, { name, inputs }: GovernedFacts): WaitingStep {
  const progress = whole.finished
  if (JSON.stringify(progress).length > limits.bodyBytes)
    throw new RangeError(`The results of the steps before ${id} are too large to be kept for a continuation.`)
  return { id, capability: name, parameters: inputs, progress }
}

/**
 * Refuses a call of a composition while the same call waits for the approval of one of its steps: the steps before it
 * have run, and would run again.
 */
export async function assertNotWaiting(service: Service, invocation: Invocation, facts: GovernedFacts): Promise<void> {
  const { name, token } = invocation
  if (facts.approval.used?.step !== undefined || !asksWithinSteps(service, invocation)) return
  const pending = await service.storage.approvals.list({
    status: 'pending',
    capability: name,
    rootPrincipal: token.claims.root_principal,
    subject: token.claims.sub,
    limit: service.limits.pendingApprovalsPerRequester,
  })
  const digest = digestOf(facts.inputs)
  const same = pending.find(
    ({ requested_parameters_digest, step }) => step !== undefined && requested_parameters_digest === digest,
  )
  const answered = same ?? (await approvedMeanwhile(service, invocation, facts))
  if (answered !== undefined) throw waitsForPerson(service, answered, invocation.request.approval === 'continue')
}

/** True for a composition of which a step may have to wait for an approval. */
const asksWithinSteps = (service: Service, whole: Invocation): boolean =>
  handsUpApprovals(service, whole) &&
  service.capabilities
    .get(whole.name)!
    .composition!.steps.some((step) => service.capabilities.get(step.capability)?.approval !== undefined)

/** Runs the author's preview for approvers; it has no effects, so it runs without a reservation. */
async function previewOf(service: Service, invocation: Invocation, facts: GovernedFacts): Promise<Json | undefined> {
  const preview = service.implementation.previews?.[invocation.name]
  if (preview === undefined) return undefined
  const limit = timeLimit(service.limits.handlerTimeoutMs, undefined)
  const show = async () =>
    preview(ownCopy(facts.inputs) as never, handlerContextOf(service, invocation, facts, {}, limit.signal) as never)
  const shown = plainCopy(await limit.within(show()))
  return shown && wellFormed(shown)
}
