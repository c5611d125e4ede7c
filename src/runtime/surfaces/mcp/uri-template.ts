import { NUL } from '../../../crypto/json/strict-json.js'

/** Addresses of resources with variables, such as `shop://orders/{order_id}`: simple expressions of RFC 6570. */

const VARIABLE = /\{(\w+)\}/gu
const LONGEST_ADDRESS = 2_048

export const isTemplate = (address: string): boolean => address.includes('{')

/** Names of the variables. */
export const variablesOf = (address: string): readonly string[] =>
  [...address.matchAll(VARIABLE)].map(([, name]) => name!)

/** Says what is wrong with an address that an author gives; undefined for a good one. */
export function problemOfAddress(address: string): string | undefined {
  const plain = address.replaceAll(VARIABLE, 'x')
  if (!/^[a-z][a-z\d+.-]*:[^\s]+$/iu.test(plain) || address.length > LONGEST_ADDRESS) return 'It is not a URI.'
  if (/[{}]/u.test(plain)) return 'Only expressions such as {order_id} are taken.'
  if (address.includes('}{')) return 'Put a character between two variables.'
  return new Set(variablesOf(address)).size < variablesOf(address).length ? 'A variable occurs twice.' : undefined
}

/** The characters of a value: all but those that divide an address. */
const VALUE = /^[^/?#]+$/u

/**
 * The values that an address has for the variables of a template; undefined if it is not one of its addresses. A value
 * ends where what follows it begins: looked for once, so that no address costs more than its length.
 */
export function addressIn(template: string, address: string): ReadonlyMap<string, string> | undefined {
  if (address.length > LONGEST_ADDRESS) return undefined
  const [first = '', ...literals] = template.split(VARIABLE).filter((_, at) => at % 2 === 0)
  if (!address.startsWith(first)) return undefined
  const values: string[] = []
  let from = first.length
  for (const [at, literal] of literals.entries()) {
    const end = at === literals.length - 1 ? lastPlace(address, literal) : address.indexOf(literal, from + 1)
    if (end <= from) return undefined
    values.push(address.slice(from, end))
    from = end + literal.length
  }
  if (from !== address.length || !values.every((value) => VALUE.test(value))) return undefined
  try {
    const read = values.map((value) => decodeURIComponent(value))
    // No text of a body may hold it, and none of an address.
    if (read.some((value) => value.includes(NUL))) return undefined
    return new Map(variablesOf(template).map((name, at) => [name, read[at]!]))
  } catch {
    return undefined
  }
}

/** Returns where an address ends in a text. */
const lastPlace = (address: string, end: string): number => (address.endsWith(end) ? address.length - end.length : -1)
