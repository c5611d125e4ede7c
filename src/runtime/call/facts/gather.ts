import { digestOf } from '../../../crypto/json/digest.js'
import type { Capability, JsonObject } from '../../../protocol/manifest.js'
import type { CallFacts, GovernedFacts, PresentedBinding, PresentedGrant, PricedFacts } from '../checks/facts.js'
import { isApprovalNeeded } from '../../approvals/conditions.js'
import { viewOf } from '../../auth/view.js'
import { hookAnswer } from '../../errors/hook-answer.js'
import { present } from '../../json/present.js'
import { refuse } from '../../errors/refusal.js'
import type { Service } from '../../service.js'
import { costOf } from './cost.js'
import type { Invocation } from '../invocation.js'

/** What is known from the token and the request alone. */
export function gatherCall(service: Service, { name, token, request, composedBy }: Invocation): CallFacts {
  const capability = service.capabilities.get(name)
  if (capability === undefined) return refuse('unknown_capability', 'There is no such capability.')
  return { name, capability, token, request, composedBy: composedBy?.name }
}

/** The bindings that the capability requires, looked up in storage. */
export const presentedBindings = (
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

/** What is known once inputs are resolved and bindings looked up. */
export function gatherPrice(
  service: Service,
  { name, capability, token, request, composedBy }: CallFacts,
  inputs: JsonObject,
  bindings: readonly PresentedBinding[],
): PricedFacts {
  const cost = costOf(service.capabilities, capability, token.claims.constraints.budget?.currency)
  return { name, capability, token, request, composedBy, inputs, bindings, cost, now: service.now() }
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

/** What was issued by a clock that is a little ahead of this one, as a replica's may be, was issued now. */
function asOfNow({ now, limits }: Service, known: PresentedBinding['known']): PresentedBinding['known'] {
  const at = now()
  const isAhead = known !== undefined && known.issued_at > at
  return isAhead && known.issued_at - at <= limits.clockToleranceSeconds * 1000 ? { ...known, issued_at: at } : known
}

/** The grant that the caller passed; a step is never called with one of its own. */
export const grantIdOf = ({ composedBy, request }: Invocation): string | undefined =>
  composedBy === undefined ? request.approval_grant : undefined

/** What is known once the approval grant, if one was passed and counts, was looked up. */
export function gatherApproval(
  service: Service,
  invocation: Invocation,
  priced: PricedFacts,
  grantId: string | undefined,
  presented: PresentedGrant | undefined,
): GovernedFacts {
  const coversStep = isApprovedStep(invocation, priced)
  const approval = {
    settings: service.manifest.approvals,
    needed: !coversStep && isApprovalNeeded(priced.capability.approval, priced.inputs),
    coversStep,
    digest: grantId === undefined ? '' : digestOf(priced.inputs),
    grantId,
    presented,
  }
  const { name, capability, token, request, composedBy, inputs, cost, bindings, now } = priced
  return { name, capability, token, request, composedBy, inputs, cost, bindings, now, approval }
}

/** Holds for the one step that the grant of the whole approves, run with the parameters that the approver saw. */
function isApprovedStep({ composedBy, stepId }: Invocation, { inputs }: PricedFacts): boolean {
  const approved = composedBy?.soFar.approvedStep
  return approved !== undefined && approved.id === stepId && approved.parameters_digest === digestOf(inputs)
}
