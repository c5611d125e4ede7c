import { identifierOf, portableName, typeNameOf } from '../names.js'
import type { CapabilityPlan, ModulePlan } from './plan.js'

/** Lines that the longest file of a module may have, roughly. */
const LINES = 2_000

/**
 * Divides a large service by domain, the first word of a capability's name, so that no file grows beyond what a person
 * opens. A service that fits into one module stays in one.
 */
export function modulesOf(capabilities: readonly CapabilityPlan[]): readonly ModulePlan[] {
  if (sum(capabilities) <= LINES) return [{ name: 'all', typeName: 'All', identifier: 'all', capabilities }]
  const taken = new Set<string>()
  return [...byDomain(capabilities)].flatMap(([domain, members]) =>
    parts(members).map((part) => {
      const name = freeName(domain, taken)
      return { name, typeName: typeNameOf(name), identifier: identifierOf(name), capabilities: part }
    }),
  )
}

/** Small neighbours share a module, so that a thousand domains do not become a thousand files. */
function byDomain(capabilities: readonly CapabilityPlan[]): ReadonlyMap<string, readonly CapabilityPlan[]> {
  const domains = new Map<string, CapabilityPlan[]>()
  for (const capability of capabilities) {
    const domain = capability.name.split(/[._]/u)[0] ?? capability.name
    const members = domains.get(domain)
    if (members === undefined) domains.set(domain, [capability])
    else members.push(capability)
  }
  const merged = new Map<string, CapabilityPlan[]>()
  let open: CapabilityPlan[] | undefined
  for (const [domain, members] of domains) {
    if (open !== undefined && sum(open) + sum(members) <= LINES / 2) open.push(...members)
    else merged.set(domain, (open = [...members]))
  }
  return merged
}

function parts(capabilities: readonly CapabilityPlan[]): readonly (readonly CapabilityPlan[])[] {
  const made: CapabilityPlan[][] = []
  let lines = LINES
  for (const capability of capabilities) {
    lines += linesOf(capability)
    if (lines > LINES) [lines] = [linesOf(capability), made.push([])]
    made.at(-1)?.push(capability)
  }
  return made
}

function freeName(domain: string, taken: Set<string>): string {
  let name = portableName(domain)
  for (let number = 2; taken.has(typeNameOf(name)); number++) name = `${domain}_${number}`
  taken.add(typeNameOf(name))
  return name
}

const sum = (capabilities: readonly CapabilityPlan[]): number =>
  capabilities.reduce((lines, each) => lines + linesOf(each), 0)

const linesOf = ({ parameters, input, output }: CapabilityPlan): number =>
  18 + 2.2 * (parameters.length + input.length + output.length)
