import canonicalize from 'canonicalize'

/** Nesting beyond this is refused; a value that contains itself is found by it, too. */
const MAX_DEPTH = 512
const LONE_SURROGATE = /\p{Cs}/u
/**
 * The canonical JSON text of a value (RFC 8785): members sorted by UTF-16 code units, ECMAScript numbers, no blanks.
 * Throws `TypeError` for what is not I-JSON (RFC 7493): a number that is not finite, a lone surrogate, `undefined`, a bigint, a
 * function, an instance of a class, a hole in an array, a value that contains itself.
 */
export function canonicalText(value: unknown): string {
  assertIJson(value, 0)
  const ordered = inOrder(value)
  return ordered === undefined ? canonicalize(value)! : JSON.stringify(ordered)
}

/**
 * A copy whose members stand in canonical order, which JSON.stringify keeps, several times faster than anything that joins
 * members by itself; undefined where the engine has an order of its own: names that may be array indexes, and `__proto__`.
 */
function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return allOrNone(value.map(inOrder))
  const ordered: { [name: string]: unknown } = {}
  for (const name of Object.keys(value).sort()) {
    const member = isReordered(name) ? undefined : inOrder((value as typeof ordered)[name])
    if (member === undefined) return undefined
    ordered[name] = member
  }
  return ordered
}

const allOrNone = (items: readonly unknown[]): readonly unknown[] | undefined =>
  items.includes(undefined) ? undefined : items

function isReordered(name: string): boolean {
  const first = name.charCodeAt(0)
  return (first >= 0x30 && first <= 0x39) || name === '__proto__'
}

/** The canonical form as UTF-8: the only bytes that are hashed or signed. Throws as `canonicalText` does. */
export const canonicalBytes = (value: unknown): Uint8Array => new TextEncoder().encode(canonicalText(value))

function assertIJson(value: unknown, depth: number): void {
  if (depth > MAX_DEPTH) throw new TypeError(`The value nests deeper than ${MAX_DEPTH} levels or contains itself.`)
  switch (typeof value) {
    case 'boolean':
      return
    case 'string':
      return assertWellFormed(value)
    case 'number':
      if (Number.isFinite(value)) return
      throw new TypeError(`JSON has no number ${value}.`)
    case 'object':
      if (value === null) return
      return Array.isArray(value) ? assertArray(value, depth) : assertRecord(value, depth)
    default:
      throw new TypeError(`JSON has no ${typeof value}.`)
  }
}

function assertWellFormed(text: string): void {
  if (LONE_SURROGATE.test(text)) throw new TypeError('A text holds half of a surrogate pair.')
}

function assertArray(array: readonly unknown[], depth: number): void {
  // An index loop, because iteration helpers pass over holes.
  for (let index = 0; index < array.length; index++) assertIJson(array[index], depth + 1)
}

function assertRecord(record: object, depth: number): void {
  const prototype: unknown = Object.getPrototypeOf(record)
  if (prototype !== Object.prototype && prototype !== null)
    throw new TypeError('Only plain objects have a canonical form.')
  for (const [name, member] of Object.entries(record)) {
    assertWellFormed(name)
    assertIJson(member, depth + 1)
  }
}
