import type { Input, Manifest } from '../../protocol/manifest.js'
import { isResolved } from '../../protocol/presence.js'
import type { CapabilityPlan, DemandPlan } from './plan.js'

const referencesOf = (input: Input): readonly string[] => {
  const reference = input.resolution?.resolver_ref ?? input.catalog_ref
  return isResolved(input) && reference !== undefined ? [reference] : []
}

/** Holds when the value may come from the actor's policy. */
const asksTheActor = ({ resolution }: Input): boolean =>
  resolution !== undefined &&
  (resolution.mode.startsWith('actor_policy') ||
    [resolution.on_missing, resolution.on_ambiguous, resolution.on_unresolved].includes('use_actor_scope'))

/** Returns the hooks that the author must implement for the manifest. */
export function demandsOf(manifest: Manifest, capabilities: readonly CapabilityPlan[]): DemandPlan {
  const inputs = Object.values(manifest.capabilities).flatMap((capability) => capability.inputs)
  return {
    resolvers: [...new Set(inputs.flatMap(referencesOf))].sort(),
    actorPolicy: inputs.some(asksTheActor),
    previews: capabilities.filter(({ declaration, hasHandler }) => declaration.approval !== undefined && hasHandler),
    bindings: capabilities.some(({ declaration }) => (declaration.requires_binding ?? []).length > 0),
  }
}
