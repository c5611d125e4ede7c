import { businessFailuresOf } from '../../protocol/business-failures.js'
import type { Capability, Manifest } from '../../protocol/manifest.js'
import { isIssuedBy, isPricedByBinding } from '../../protocol/issued-bindings.js'
import { handlerAlwaysHas } from '../../protocol/presence.js'
import type { ContextPlan } from './plan.js'

/** A type of bindings that a capability issues. */
type Quoted = ContextPlan['quotes'][number]

/**
 * Capability -> types of bindings that it issues. A type without a source may be quoted by any other atomic capability.
 */
export function quotesOf(manifest: Manifest): (name: string) => readonly Quoted[] {
  const entries = Object.entries(manifest.capabilities)
  const required = entries.flatMap(([consumer, capability]) =>
    (capability.requires_binding ?? []).map((requirement) => ({
      consumer,
      requirement,
      isPriced: isPricedByBinding(capability),
    })),
  )
  return (name) => {
    const issued = required.filter(({ consumer, requirement }) => isIssuedBy(name, consumer, requirement))
    const types = [...new Set(issued.map(({ requirement }) => requirement.type))].sort()
    return types.map((type) => ({
      type,
      isPriced: issued.some(({ requirement, isPriced }) => isPriced && requirement.type === type),
    }))
  }
}

/** Returns the operations of a handler's context: only those the manifest allows for this capability. */
export const contextPlanOf = (capability: Capability, quotes: readonly Quoted[]): ContextPlan => ({
  quotes,
  bound: boundOf(capability),
  streams: capability.response_modes.includes('streaming'),
  asksForApproval: capability.approval?.required === 'handler',
  failures: businessFailuresOf(capability),
})

function boundOf(capability: Capability): ContextPlan['bound'] {
  const { inputs, requires_binding = [] } = capability
  const isPriced = isPricedByBinding(capability)
  const always = new Set(inputs.filter(handlerAlwaysHas).map(({ name }) => name))
  const fields = [...new Set(requires_binding.map(({ field }) => field))]
  const typesOf = (field: string) => requires_binding.filter((each) => each.field === field).map(({ type }) => type)
  return fields.map((field) => ({
    field,
    types: [...new Set(typesOf(field))],
    optional: !always.has(field),
    isPriced,
  }))
}
