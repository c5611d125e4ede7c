import type { Json, JsonObject } from '../../protocol/manifest.js'

/**
 * An object with a value for each name, but for those that have none. Made several times as fast as by
 * `Object.fromEntries`, which makes each member by a call of the engine; and a name that all objects know, as
 * `__proto__`, is no more than a name here, too.
 */
export function membersBy<Named>(
  named: readonly Named[],
  nameOf: (each: Named) => string,
  valueOf: (each: Named) => Json | undefined,
): JsonObject {
  const members: { [name: string]: Json } = {}
  for (const each of named) {
    const value = valueOf(each)
    if (value !== undefined) setMember(members, nameOf(each), value)
  }
  return members
}

function setMember(members: { [name: string]: Json }, name: string, value: Json): void {
  if (name in members)
    Object.defineProperty(members, name, { value, configurable: true, enumerable: true, writable: true })
  else members[name] = value
}
