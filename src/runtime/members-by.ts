import type { Json, JsonObject } from '../protocol/manifest.js'

/**
 * An object with a value for each name, but for those that have none. Made several times as fast as by `Object.fromEntries`, which
 * makes each member by a call of the engine; and a name is no more than a name here, too, be it `__proto__`.
 */
export function membersBy<Named>(
  named: readonly Named[],
  nameOf: (each: Named) => string,
  valueOf: (each: Named, index: number) => Json | undefined,
): JsonObject {
  const members: { [name: string]: Json } = {}
  for (let index = 0; index < named.length; index++) {
    const each = named[index]!
    const value = valueOf(each, index)
    if (value !== undefined) setMember(members, nameOf(each), value)
  }
  return members
}

function setMember(members: { [name: string]: Json }, name: string, value: Json): void {
  if (name === '__proto__')
    Object.defineProperty(members, name, { value, configurable: true, enumerable: true, writable: true })
  else members[name] = value
}
