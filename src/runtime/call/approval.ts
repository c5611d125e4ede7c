import type { GovernedFacts } from './checks/facts.js'
import { digestOf } from '../../crypto/json/digest.js'
import { failure } from '../../protocol/failures.js'
import type { Waiting } from '../approvals/gated-step.js'
import { approvalRequired, raiseApproval } from '../approvals/raise.js'
import type { Json, JsonObject } from '../../protocol/manifest.js'
import { ownCopy } from '../json/own-copy.js'
import { Refusal } from '../errors/refusal.js'
import type { Service } from '../service.js'
import { contextOf } from './execute/context.js'
import type { Invocation } from './invocation.js'
import { timeLimit } from './execute/time-limit.js'

/**
 * Asks for the approval that an invocation lacks. A step asks on behalf of the whole: the request is for, and the grant will be
 * bound to, the invocation that the caller can continue (decisions, section 4), and the grant approves this one step.
 */
export async function askForApproval(
  service: Service,
  invocation: Invocation,
  facts: GovernedFacts,
  shown?: Json,
): Promise<Refusal> {
  const whole = invocation.composedBy ?? invocation
  if (whole !== invocation && !handsUpApprovals(service, whole)) return notContinuable(invocation)
  const { refusal, requestId } = await raiseApproval(service, {
    capability: whole.name,
    scope: service.capabilities.get(whole.name)!.minimum_scope,
    parameters: whole.soFar.inputs as JsonObject,
    preview: shown ?? (await previewOf(service, invocation, facts)),
    policy: facts.capability.approval!.grant_policy,
    token: whole.token,
    parentInvocationId: whole.lineage.parent_invocation_id,
    taskId: whole.lineage.task_id,
    waiting: whole === invocation ? undefined : waitingOf(service, whole, invocation, facts),
  })
  if (requestId !== undefined) {
    invocation.soFar.approvalRequestId = requestId
    whole.soFar.approvalRequestId = requestId
  }
  return refusal
}

const handsUpApprovals = ({ capabilities }: Service, { name }: Invocation): boolean =>
  capabilities.get(name)?.composition?.failure_policy.child_approval_required === 'propagate'

const notContinuable = ({ name }: Invocation): Refusal =>
  new Refusal(failure('approval_required', `The capability ${name} needs an approval for these parameters.`))

function waitingOf(service: Service, whole: Invocation, step: Invocation, { inputs }: GovernedFacts): Waiting {
  const progress = whole.soFar.finished ?? []
  if (JSON.stringify(progress).length > service.limits.bodyBytes)
    throw new RangeError(`What the steps before ${step.stepId} gave is too large to be kept for a continuation.`)
  return { id: step.stepId!, capability: step.name, parameters: inputs, progress }
}

/**
 * Refuses a call of a composition while the same call waits for the approval of one of its steps: the steps before it have run,
 * and would run again.
 */
export async function assertNotWaiting(service: Service, invocation: Invocation, inputs: JsonObject): Promise<void> {
  const { name, token, soFar } = invocation
  if (soFar.approvedStep !== undefined) return
  const pending = await service.storage.approvals.list({
    status: 'pending',
    capability: name,
    rootPrincipal: token.claims.root_principal,
    subject: token.claims.sub,
    limit: service.limits.pendingApprovalsPerRequester,
  })
  const digest = digestOf(inputs)
  const same = pending.find(
    ({ requested_parameters_digest, step }) => step !== undefined && requested_parameters_digest === digest,
  )
  if (same === undefined) return
  soFar.approvalRequestId = same.approval_request_id
  throw new Refusal(approvalRequired(service, same))
}

/** Holds for a composition of which a step may have to wait for an approval. */
export const asksWithinSteps = (service: Service, whole: Invocation): boolean =>
  handsUpApprovals(service, whole) &&
  service.capabilities
    .get(whole.name)!
    .composition!.steps.some((step) => service.capabilities.get(step.capability)?.approval !== undefined)

/** What the handler's author shows to approvers; it has no effects, so it runs under no reservation. */
async function previewOf(service: Service, invocation: Invocation, facts: GovernedFacts): Promise<Json | undefined> {
  const preview = service.implementation.previews?.[invocation.name]
  if (preview === undefined) return undefined
  const limit = timeLimit(service.limits.handlerTimeoutMs, undefined)
  const show = async () =>
    preview(ownCopy(facts.inputs) as never, contextOf(service, invocation, facts, limit.signal) as never)
  return limit.within(show())
}
