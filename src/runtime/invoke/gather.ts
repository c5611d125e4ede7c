import { digestOf } from '../../crypto/digest.js'
import type { JsonObject } from '../../protocol/manifest.js'
import type { CallFacts, GovernedFacts, PresentedBinding, PricedFacts } from '../checks/facts.js'
import { isApprovalNeeded } from '../approvals/conditions.js'
import { presentedGrant } from '../approvals/presented-grant.js'
import { viewOf } from '../authn/view.js'
import { hookAnswer } from '../hook-answer.js'
import { present } from '../present.js'
import { refuse } from '../refusal.js'
import type { Service } from '../service.js'
import { costOf } from './cost.js'
import type { Invocation } from './invocation.js'

/** What is known from the token and the request alone. */
export function gatherCall(service: Service, { name, token, request, composedBy }: Invocation): CallFacts {
  const capability = service.capabilities.get(name)
  if (capability === undefined) return refuse('unknown_capability', 'There is no such capability.')
  return present({ name, capability, token, request, composedBy: composedBy?.name })
}

/** What is known once inputs are resolved: each binding that the capability requires, looked up in storage. */
export async function gatherPrice(service: Service, call: CallFacts, inputs: JsonObject): Promise<PricedFacts> {
  const required = call.capability.requires_binding ?? []
  const bindings = await Promise.all(
    required.map(async (requirement) => {
      const known = await lookUp(service, call, requirement.type, inputs[requirement.field])
      return present({ ...requirement, known })
    }),
  )
  const cost = costOf(service.capabilities, call.capability, call.token.claims.constraints.budget?.currency)
  return present({ ...call, inputs, bindings, cost, now: service.now() })
}

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
  return (
    resolveBinding && hookAnswer(service, () => resolveBinding({ capability: name, type, id, token: viewOf(token) }))
  )
}

/** What is known once the approval grant, if one was passed and counts, was looked up. */
export async function gatherApproval(
  service: Service,
  invocation: Invocation,
  priced: PricedFacts,
): Promise<GovernedFacts> {
  const grantId = invocation.composedBy === undefined ? priced.request.approval_grant : undefined
  const coversStep = isApprovedStep(invocation, priced)
  return {
    ...priced,
    approval: present({
      settings: service.manifest.approvals,
      needed: !coversStep && isApprovalNeeded(priced.capability.approval, priced.inputs),
      coversStep,
      digest: grantId === undefined ? '' : digestOf(priced.inputs),
      grantId,
      presented: grantId === undefined ? undefined : await presentedGrant(service, grantId),
    }),
  }
}

/** Holds for the one step that the grant of the whole approves, run with the parameters that the approver saw. */
function isApprovedStep({ composedBy, stepId }: Invocation, { inputs }: PricedFacts): boolean {
  const approved = composedBy?.soFar.approvedStep
  return approved !== undefined && approved.id === stepId && approved.parameters_digest === digestOf(inputs)
}
