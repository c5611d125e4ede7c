import { businessFailuresOf, type BusinessFailure } from '../../protocol/business-failures.js'
import type { FailureType } from '../../protocol/failures.js'
import type { Capability, Manifest } from '../../protocol/manifest.js'
import { upstreamTermsOf } from '../../protocol/upstream-terms.js'

/** The failures that a capability's declaration makes possible, beyond those that any call may meet. */
export function refusalsOf(capability: Capability, manifest: Manifest): readonly FailureType[] {
  const own = ownRefusals(capability)
  const steps = stepCapabilities(capability, manifest).flatMap(ownRefusals)
  return [...new Set([...own, ...steps])].sort()
}

/**
 * The business failures that a call may end in: a composition lets those of its steps through. Each type and status
 * once.
 */
export function callFailuresOf(capability: Capability, manifest: Manifest): readonly BusinessFailure[] {
  const all = [...stepCapabilities(capability, manifest), capability].flatMap(businessFailuresOf)
  const keyOf = ({ type, status }: BusinessFailure): string => `${type} ${status}`
  const byKey = new Map(all.map((failure) => [keyOf(failure), failure]))
  return [...byKey.values()].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
}

/** The declared capabilities that a composition calls. */
export const stepCapabilities = ({ composition }: Capability, { capabilities }: Manifest): readonly Capability[] =>
  (composition?.steps ?? []).flatMap(({ capability }) =>
    Object.hasOwn(capabilities, capability) ? [capabilities[capability]!] : [],
  )

const ownRefusals = (capability: Capability): readonly FailureType[] => [
  ...(capability.requires_principal === undefined ? [] : (['non_delegable_action'] as const)),
  ...((capability.control_requirements ?? []).length === 0 ? [] : (['control_requirement_unsatisfied'] as const)),
  ...((capability.requires_binding ?? []).length === 0 ? [] : (['binding_missing', 'binding_stale'] as const)),
  ...budgetRefusals(capability),
  ...(capability.approval === undefined
    ? []
    : (['approval_required', 'approval_denied', 'approval_returned', 'approval_grant_invalid'] as const)),
  ...(capability.inputs.some(({ resolution }) => resolution !== undefined)
    ? (['clarification_required'] as const)
    : []),
  ...(upstreamTermsOf(capability)?.connection === undefined ? [] : (['connection_required'] as const)),
  ...compositionRefusals(capability),
]

function budgetRefusals({ cost }: Capability): readonly FailureType[] {
  if (cost?.financial === undefined) return []
  const checked = ['budget_currency_mismatch', 'budget_exceeded'] as const
  return cost.certainty === 'estimated' ? [...checked, 'budget_not_enforceable'] : checked
}

function compositionRefusals({ composition }: Capability): readonly FailureType[] {
  if (composition === undefined) return []
  const empty = composition.empty_result_policy
  return [
    'composition_child_failed',
    ...(empty === 'deny' ? (['composition_empty_result'] as const) : []),
    ...(empty === 'clarify' ? (['clarification_required'] as const) : []),
  ]
}
