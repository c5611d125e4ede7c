import { businessFailuresOf } from '../../protocol/business-failures.js'
import type { Capability, Manifest } from '../../protocol/manifest.js'
import { isIssuedBy } from '../../protocol/issued-bindings.js'
import { handlerAlwaysHas } from '../../protocol/presence.js'
import type { ContextPlan } from './plan.js'

/**
 * Capability -> types of bindings that it issues. A type without a source may be quoted by any other atomic capability.
 */
export function quotesOf(manifest: Manifest): (name: string) => readonly string[] {
  const entries = Object.entries(manifest.capabilities)
  const required = entries.flatMap(([consumer, { requires_binding = [] }]) =>
    requires_binding.map((requirement) => ({ consumer, requirement })),
  )
  return (name) => {
    const issued = required.filter(({ consumer, requirement }) => isIssuedBy(name, consumer, requirement))
    return [...new Set(issued.map(({ requirement }) => requirement.type))].sort()
  }
}

/** What a handler's context can do: only what the manifest lets this capability do. */
export const contextPlanOf = (capability: Capability, quotes: readonly string[]): ContextPlan => ({
  quotes,
  bound: boundOf(capability),
  streams: capability.response_modes.includes('streaming'),
  asksForApproval: capability.approval?.required === 'handler',
  failures: businessFailuresOf(capability),
})

function boundOf({ inputs, requires_binding = [] }: Capability): ContextPlan['bound'] {
  const always = new Set(inputs.filter(handlerAlwaysHas).map(({ name }) => name))
  const fields = [...new Set(requires_binding.map(({ field }) => field))]
  const typesOf = (field: string) => requires_binding.filter((each) => each.field === field).map(({ type }) => type)
  return fields.map((field) => ({ field, types: [...new Set(typesOf(field))], optional: !always.has(field) }))
}
