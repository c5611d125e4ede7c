/** Nesting beyond this is refused; a value that contains itself is found by it, too. */
const MAX_DEPTH = 512

/**
 * The canonical JSON text of a value (RFC 8785): members sorted by UTF-16 code units, ECMAScript numbers, no blanks.
 * Throws `TypeError` for what is not I-JSON (RFC 7493): a number that is not finite, a lone surrogate, `undefined`, a bigint, a
 * function, an instance of a class, a hole in an array, a value that contains itself.
 */
export const canonicalText = (value: unknown): string => textOf(value, 0)

function textOf(value: unknown, depth: number): string {
  if (depth > MAX_DEPTH) throw new TypeError(`The value nests deeper than ${MAX_DEPTH} levels or contains itself.`)
  switch (typeof value) {
    case 'boolean':
      return value ? 'true' : 'false'
    case 'string':
      return quoted(value)
    case 'number':
      if (Number.isFinite(value)) return value === 0 ? '0' : `${value}`
      throw new TypeError(`JSON has no number ${value}.`)
    case 'object':
      if (value === null) return 'null'
      return Array.isArray(value) ? arrayText(value, depth) : recordText(value, depth)
    default:
      throw new TypeError(`JSON has no ${typeof value}.`)
  }
}

const LONE_SURROGATE = /\p{Cs}/u
/** Nothing in here is escaped, and it is what nearly all texts are made of. */
const PLAIN = /^[ !#-[\]-~]*$/u

function quoted(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`
  if (LONE_SURROGATE.test(text)) throw new TypeError('A text holds half of a surrogate pair.')
  return JSON.stringify(text)
}

function arrayText(array: readonly unknown[], depth: number): string {
  let items = ''
  // An index loop, because iteration helpers pass over holes.
  for (let index = 0; index < array.length; index++)
    items += `${index === 0 ? '' : ','}${textOf(array[index], depth + 1)}`
  return `[${items}]`
}

function recordText(record: object, depth: number): string {
  const prototype: unknown = Object.getPrototypeOf(record)
  if (prototype !== Object.prototype && prototype !== null)
    throw new TypeError('Only plain objects have a canonical form.')
  let members = ''
  for (const name of Object.keys(record).sort()) {
    const value = textOf((record as { readonly [name: string]: unknown })[name], depth + 1)
    members += `${members === '' ? '' : ','}${quoted(name)}:${value}`
  }
  return `{${members}}`
}

/** The canonical text of an object whose members are in canonical form already. */
export const canonicalObject = (members: ReadonlyMap<string, string>): string =>
  `{${[...members.keys()]
    .sort()
    .map((name) => `${quoted(name)}:${members.get(name)!}`)
    .join()}}`

/** The canonical form as UTF-8: the only bytes that are hashed or signed. Throws as `canonicalText` does. */
export const canonicalBytes = (value: unknown): Uint8Array => new TextEncoder().encode(canonicalText(value))
