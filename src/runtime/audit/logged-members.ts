import type { Capability, JsonObject } from '../../protocol/manifest.js'
import { membersBy } from '../json/members-by.js'

/** Members that the audit trail may keep, by the manifest. */
interface Declared {
  readonly capabilities: ReadonlyMap<string, Capability>
}

/** Of values that concern a capability, those that its manifest lets the trail keep (section 2.9). */
export function loggedMembers({ capabilities }: Declared, capability: string, values: JsonObject): JsonObject {
  const { fields_logged = [], logged = true } = capabilities.get(capability)?.observability ?? {}
  if (!logged) return {}
  const sensitive = sensitiveInputs(capabilities, capability)
  return membersBy(
    fields_logged.filter((field) => !sensitive.includes(field)),
    (field) => field,
    (field) => (Object.hasOwn(values, field) ? values[field] : undefined),
  )
}

type Capabilities = Declared['capabilities']

const KNOWN = new WeakMap<Capabilities, ReadonlyMap<string, ReadonlySet<string>>>()

/**
 * Inputs whose values no approver, trail or message gets (decisions, section 17): those that say so, and those of a step
 * that a composition fills from one of its own that does.
 */
export function sensitiveInputs(capabilities: Capabilities, name: string): readonly string[] {
  const known = KNOWN.get(capabilities) ?? allSensitive(capabilities)
  KNOWN.set(capabilities, known)
  return [...(known.get(name) ?? [])]
}

const saidIn = (capability: Capability | undefined): readonly string[] =>
  (capability?.inputs ?? []).filter((input) => input['x-sensitive'] === true).map(({ name }) => name)

function allSensitive(capabilities: Capabilities): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map([...capabilities].map(([name, capability]) => [name, new Set(saidIn(capability))]))
  for (const capability of capabilities.values()) {
    const said = saidIn(capability)
    for (const step of capability.composition?.steps ?? [])
      for (const [input, path] of Object.entries(capability.composition!.input_mapping[step.id] ?? {}))
        if (said.includes(inputIn(path))) found.get(step.capability)?.add(input)
  }
  return found
}

/** Name of the input that a path such as `$.input.order.id` reads; empty for a path to what a step gave. */
const inputIn = (path: string): string => /^\$\.input\.(\w+)/u.exec(path)?.[1] ?? ''
