import type { Json } from '../../protocol/manifest.js'

/**
 * A value whose texts are whole: half of a surrogate pair, as a handler leaves it that cuts a text between two code
 * units, becomes U+FFFD. With a half, a value has no canonical form (RFC 8785, section 3.2.2.2), and no entry.
 *
 * @example wellFormed(['🦊'.slice(0, 1)]) // ['\ufffd']
 */
export function wellFormed<Value extends Json>(value: Value): Value
export function wellFormed(value: Json): Json {
  if (isWellFormed(value)) return value
  if (typeof value === 'string') return value.toWellFormed()
  if (Array.isArray(value)) return (value as readonly Json[]).map(wellFormed)
  return Object.fromEntries(
    Object.entries(value as { readonly [name: string]: Json }).map(([name, each]) => [
      name.toWellFormed(),
      wellFormed(each),
    ]),
  )
}

function isWellFormed(value: Json): boolean {
  if (typeof value === 'string') return value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return (value as readonly Json[]).every(isWellFormed)
  return Object.entries(value).every(([name, each]) => name.isWellFormed() && isWellFormed(each))
}
