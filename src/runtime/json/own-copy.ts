import type { Json, JsonObject } from '../../protocol/manifest.js'

/**
 * A copy of a JSON value that shares nothing with it, for code that may change what it is given. Several times as fast
 * as
 * `structuredClone`, which must look for more kinds of values.
 */
export function ownCopy(value: Json): Json {
  // JSON has -0, the digest of the parameters has not: whoever decides by it reads 0 (RFC 8785, section 3.2.2.3).
  if (typeof value !== 'object' || value === null) return value === 0 ? 0 : value
  if (Array.isArray(value)) return value.map(ownCopy)
  const copy: { [name: string]: Json } = { ...(value as JsonObject) }
  // A member is set where it is an own one already, so that even `__proto__` is no more than a name.
  for (const name of Object.keys(copy)) copy[name] = ownCopy(copy[name]!)
  return copy
}
