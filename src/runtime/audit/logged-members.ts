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
  const sensitive = sensitiveInputs(capabilities.get(capability))
  return membersBy(
    fields_logged.filter((field) => !sensitive.includes(field)),
    (field) => field,
    (field) => (Object.hasOwn(values, field) ? values[field] : undefined),
  )
}

/** Inputs whose values no approver, trail or message gets (decisions, section 17). */
export const sensitiveInputs = (capability: Capability | undefined): readonly string[] =>
  (capability?.inputs ?? []).filter((input) => input['x-sensitive'] === true).map(({ name }) => name)
