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
  return membersBy(
    fields_logged,
    (field) => field,
    (field) => (Object.hasOwn(values, field) ? values[field] : undefined),
  )
}
