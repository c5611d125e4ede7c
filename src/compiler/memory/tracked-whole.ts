import type { CapabilityView, RuleContext } from '../rules/rule.js'

/** What a rule looked at beyond its own capability. */
export interface Looks {
  /** Other capabilities, by name: what they were then. */
  readonly names: Map<string, Known>
  /** Notes that the rule looked at something that any edit may change. */
  wide(): void
}

export interface Known {
  readonly view: CapabilityView | undefined
  readonly isDeclared: boolean
}

export const knownOf = ({ capabilities, declares }: RuleContext, name: string): Known => ({
  view: capabilities.get(name),
  isDeclared: declares(name),
})

/** All that rules may know, through eyes that note where they look. Each look at the whole counts as wide. */
export function trackedWhole(whole: RuleContext, looksNow: () => Looks): RuleContext {
  const wide = <Value>(value: Value): Value => {
    looksNow().wide()
    return value
  }
  const named = (name: string): Known => {
    const { names } = looksNow()
    const known = names.get(name) ?? knownOf(whole, name)
    names.set(name, known)
    return known
  }
  return {
    get manifest() {
      return wide(whole.manifest)
    },
    get roots() {
      return wide(whole.roots)
    },
    get services() {
      return wide(whole.services)
    },
    get now() {
      return wide(whole.now)
    },
    capabilities: trackedCapabilities(whole, named, wide),
    declares: (name) => named(name).isDeclared,
    nearestCapability: (name) => wide(whole.nearestCapability(name)),
    // The text of a capability that a rule has looked at changes with it.
    written: whole.written,
    fileOf: (node) => wide(whole.fileOf(node)),
    once: (compute) => wide(whole.once(compute)),
  } as RuleContext
}

function trackedCapabilities(
  { capabilities }: RuleContext,
  named: (name: string) => Known,
  wide: <Value>(value: Value) => Value,
): ReadonlyMap<string, CapabilityView> {
  return {
    get: (name) => named(name).view,
    has: (name) => named(name).view !== undefined,
    get size() {
      return wide(capabilities.size)
    },
    keys: () => wide(capabilities.keys()),
    values: () => wide(capabilities.values()),
    entries: () => wide(capabilities.entries()),
    forEach: (each) => wide(capabilities).forEach(each),
    [Symbol.iterator]: () => wide(capabilities[Symbol.iterator]()),
  }
}
