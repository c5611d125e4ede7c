import type { GovernedFacts } from '../checks/facts.js'
import { raiseApproval } from '../approvals/raise.js'
import type { Json, JsonObject } from '../../protocol/manifest.js'
import type { Refusal } from '../refusal.js'
import type { Service } from '../service.js'
import { contextOf } from './context.js'
import type { Invocation } from './invocation.js'
import { timeLimit } from './time-limit.js'

/**
 * Asks for the approval that an invocation lacks. A step asks on behalf of the whole: the request is for, and the grant will be
 * bound to, the invocation that the caller can repeat (decisions, section 4).
 */
export async function askForApproval(
  service: Service,
  invocation: Invocation,
  facts: GovernedFacts,
  shown?: Json,
): Promise<Refusal> {
  const whole = invocation.composedBy ?? invocation
  const inputs = whole.soFar.inputs as JsonObject
  const { refusal, requestId } = await raiseApproval(service, {
    capability: whole.name,
    scope: service.capabilities.get(whole.name)!.minimum_scope,
    parameters: inputs,
    preview: shown ?? (await previewOf(service, invocation, facts)),
    policy: facts.capability.approval!.grant_policy,
    token: whole.token,
    parentInvocationId: whole.lineage.parent_invocation_id,
  })
  if (requestId !== undefined) {
    invocation.soFar.approvalRequestId = requestId
    whole.soFar.approvalRequestId = requestId
  }
  return refusal
}

/** What the handler's author shows to approvers; it has no effects, so it runs under no reservation. */
async function previewOf(service: Service, invocation: Invocation, facts: GovernedFacts): Promise<Json | undefined> {
  const preview = service.implementation.previews?.[invocation.name]
  if (preview === undefined) return undefined
  const limit = timeLimit(service.limits.handlerTimeoutMs, undefined)
  const show = async () =>
    preview(structuredClone(facts.inputs) as never, contextOf(service, invocation, facts, limit.signal) as never)
  return limit.within(show())
}
