import { CAPABILITY_NAME } from '../../protocol/identifiers.js'
import { LONGEST_PRINCIPAL } from '../../protocol/principals.js'
import { refuse } from '../errors/refusal.js'
import { isWithin } from './members.js'
import { isDateTime } from '../../protocol/type-values.js'

/** Query parameters by name, each given at most once and known; an unknown one is refused. */
export type Query = ReadonlyMap<string, string>

export function readQuery(given: URLSearchParams, names: readonly string[]): Query {
  const query = new Map<string, string>()
  for (const [name, value] of given) {
    if (!names.includes(name)) refuseUnknown(name, names)
    if (query.has(name)) refuse('invalid_parameters', `The query parameter ${name} is given twice.`)
    query.set(name, value)
  }
  return query
}

function refuseUnknown(name: string, names: readonly string[]): never {
  const known = names.length === 0 ? 'none is known here' : `there are ${names.join(', ')}`
  return refuse('invalid_parameters', `There is no query parameter ${JSON.stringify(name.slice(0, 40))}; ${known}.`)
}

export function textIn(query: Query, name: string, most = 256): string | undefined {
  const text = query.get(name)
  if (text === undefined || (text.length > 0 && isWithin(text, most))) return text
  return refuse('invalid_parameters', `The query parameter ${name} must have 1 to ${most} characters.`)
}

export const principalIn = (query: Query, name: string): string | undefined => textIn(query, name, LONGEST_PRINCIPAL)

/** A reference of the caller's own, which may be empty, as it may be at an invocation (section 4.6). */
export const referenceIn = (query: Query, name: string): string | undefined =>
  query.get(name) === '' ? '' : textIn(query, name)

export const capabilityIn = (query: Query, name: string): string | undefined =>
  shapedTextIn(query, name, (text) => CAPABILITY_NAME.test(text), 'the name of a capability')

export function shapedTextIn(
  query: Query,
  name: string,
  holds: (text: string) => boolean,
  expected: string,
): string | undefined {
  const text = query.get(name)
  if (text === undefined || holds(text)) return text
  return refuse('invalid_parameters', `The query parameter ${name} must be ${expected}.`)
}

export function countIn(
  query: Query,
  name: string,
  { least, most }: { readonly least: number; readonly most: number },
): number | undefined {
  const text = query.get(name)
  if (text === undefined) return undefined
  const count = /^\d{1,9}$/u.test(text) ? Number(text) : NaN
  if (count >= least && count <= most) return count
  return refuse('invalid_parameters', `The query parameter ${name} must be a whole number from ${least} to ${most}.`)
}

export function wordIn<Word extends string>(query: Query, name: string, words: readonly Word[]): Word | undefined {
  const text = query.get(name)
  if (text === undefined) return undefined
  return (
    words.find((word) => word === text) ??
    refuse('invalid_parameters', `The query parameter ${name} must be one of ${words.join(', ')}.`)
  )
}

/** A time with any offset, as RFC 3339 in UTC with ms. A blank stands for the plus that a query decodes to one. */
export function timeIn(query: Query, name: string): string | undefined {
  const text = query.get(name)?.replace(' ', '+')
  if (text === undefined) return undefined
  const time = isDateTime(text) ? Date.parse(text.toUpperCase()) : NaN
  if (!Number.isNaN(time)) return new Date(time).toISOString()
  return refuse('invalid_parameters', `The query parameter ${name} must be an RFC 3339 time with an offset.`)
}
