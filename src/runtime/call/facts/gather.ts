import { continuedGrant } from '../continue.js'
import { digestOf } from '../../../crypto/json/digest.js'
import type { Capability, JsonObject } from '../../../protocol/manifest.js'
import type { CallFacts, GovernedFacts, PresentedBinding, PresentedGrant, PricedFacts, UsedGrant } from './facts.js'
import { countsGrant, isApprovalNeeded } from '../../approvals/conditions.js'
import { costsMore } from '../../approvals/tiers.js'
import { presentedGrant } from '../presented-grant.js'
import { stepCapabilitiesOf } from '../checks/deciding-facts.js'
import { viewOf } from '../../auth/view.js'
import { missingConnection } from '../../connections/required.js'
import { externalBinding } from './external-binding.js'
import { hookAnswer } from '../../errors/hook-answer.js'
import { present } from '../../json/present.js'
import { refuse } from '../../errors/refusal.js'
import type { Service } from '../../service.js'
import { costOf, costOfCall } from './cost.js'
import { ceilingOf } from './ceiling.js'
import { costToCompare } from './price.js'
import type { Invocation } from '../invocation.js'

/** Gathers the facts from the token and the request alone. */
export function gatherCall(service: Service, { name, token, request, step }: Invocation): CallFacts {
  const capability = service.capabilities.get(name)
  if (capability === undefined) return refuse('unknown_capability', 'Unknown capability.')
  const composedBy = step?.whole.invocation.name
  const steps = stepCapabilitiesOf(service.capabilities, capability)
  return { name, capability, token, steps, request, composedBy, isPaused: isPaused(service, name, capability) }
}

const isPaused = ({ paused }: Service, name: string, { composition }: Capability): boolean =>
  paused.size > 0 && (paused.has(name) || composition?.steps.some(({ capability }) => paused.has(capability)) === true)

/** Gathers the facts that need resolved inputs and bindings. */
export async function gatherPrice(service: Service, call: CallFacts, inputs: JsonObject): Promise<PricedFacts> {
  const { name, capability, token, request, composedBy } = call
  const required = capability.requires_binding
  const bindings = required === undefined ? [] : await presentedBindings(service, call, required, inputs)
  const declared = costOf(service.capabilities, capability, ceilingOf(call)?.currency)
  const cost = costOfCall(declared, capability, inputs)
  const used = [capability, ...(call.steps ?? [])]
  const missing = await missingConnection(service, used, token)
  return { name, capability, token, request, composedBy, inputs, bindings, cost, missing, now: service.now() }
}

/** The bindings that the capability requires, looked up in storage. */
const presentedBindings = (
  service: Service,
  call: CallFacts,
  required: NonNullable<Capability['requires_binding']>,
  inputs: JsonObject,
): Promise<readonly PresentedBinding[]> =>
  Promise.all(
    required.map(async (requirement) => {
      const known = asOfNow(service, await lookUp(service, call, requirement.type, inputs[requirement.field]))
      return present({ ...requirement, known })
    }),
  )

async function lookUp(
  service: Service,
  { name, token }: CallFacts,
  type: string,
  id: unknown,
): Promise<PresentedBinding['known']> {
  if (typeof id !== 'string') return undefined
  const issuedHere = await service.storage.bindings.get(id)
  if (issuedHere !== undefined) return issuedHere
  const { resolveBinding } = service.implementation
  if (resolveBinding === undefined) return undefined
  return externalBinding(
    id,
    await hookAnswer(service, () => resolveBinding({ capability: name, type, id, token: viewOf(token) })),
  )
}

/** Treats a binding that was issued by a slightly faster clock, such as a replica's, as issued now. */
function asOfNow({ now, limits }: Service, known: PresentedBinding['known']): PresentedBinding['known'] {
  const at = now()
  const isAhead = known !== undefined && known.issued_at > at
  return isAhead && known.issued_at - at <= limits.clockToleranceSeconds * 1000 ? { ...known, issued_at: at } : known
}

/** Gathers the facts that need the approval grant, if one was passed and counts. */
export async function gatherApproval(
  service: Service,
  invocation: Invocation,
  priced: PricedFacts,
): Promise<GovernedFacts> {
  const grantId = grantIdOf(invocation) ?? (await continuedGrant(service, invocation, priced))
  const presented = grantId === undefined ? undefined : await presentedGrant(service, grantId)
  const coversStep = isApprovedStep(invocation, priced)
  const needed = !coversStep && isApprovalNeeded(priced.capability.approval, priced.inputs, costToCompare(priced))
  const approval = {
    settings: service.manifest.approvals,
    needed,
    coversStep,
    digest: grantId === undefined ? '' : digestOf(priced.inputs),
    grantId,
    presented,
    used: coversStep ? grantOfWhole(invocation) : usedGrant(presented, countsGrant(priced.capability, needed)),
  }
  const { name, capability, token, request, composedBy, inputs, cost, bindings, now } = priced
  return { name, capability, token, request, composedBy, inputs, cost, bindings, now, approval }
}

/** The grant that the caller passed; a step is never called with one of its own. */
const grantIdOf = ({ step, request }: Invocation): string | undefined =>
  step === undefined ? request.approval_grant : undefined

/** True for the one step that the grant of the whole approves, run with the parameters that the approver saw. */
function isApprovedStep({ step }: Invocation, priced: PricedFacts): boolean {
  const { used, presented } = step?.whole.facts.approval ?? {}
  const approved = used?.step
  if (approved === undefined || approved.id !== step?.id) return false
  if (approved.parameters_digest !== digestOf(priced.inputs)) return false
  const { approval } = priced.capability
  const request = presented?.request
  return (
    approval?.tiers === undefined || (request !== undefined && !costsMore(approval, request, costToCompare(priced)))
  )
}

/** Under which grant an approved step runs. */
function grantOfWhole({ step }: Invocation): UsedGrant | undefined {
  const used = step?.whole.facts.approval.used
  return used && { grantId: used.grantId, approvalRequestId: used.approvalRequestId }
}

function usedGrant(presented: PresentedGrant | undefined, counts: boolean): UsedGrant | undefined {
  if (presented === undefined || !counts) return undefined
  const { grant_id: grantId, approval_request_id: approvalRequestId, step } = presented.grant
  if (step === undefined) return { grantId, approvalRequestId }
  return { grantId, approvalRequestId, step, finished: presented.request?.progress ?? [] }
}
