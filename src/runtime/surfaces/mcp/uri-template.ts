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

const literal = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`)

/** The values that an address has for the variables of a template; undefined if it is not one of its addresses. */
export function addressIn(template: string, address: string): ReadonlyMap<string, string> | undefined {
  if (address.length > LONGEST_ADDRESS) return undefined
  const pattern = template
    .split(/\{\w+\}/u)
    .map(literal)
    .join('([^/?#]+)')
  const found = new RegExp(`^${pattern}$`, 'u').exec(address)
  if (found === null) return undefined
  try {
    return new Map(variablesOf(template).map((name, at) => [name, decodeURIComponent(found[at + 1]!)]))
  } catch {
    return undefined
  }
}
