import { explodesByDefault, headerKind, STYLES_AT, type ParameterPlace } from '../../protocol/upstream-requests.js'
import type { UpstreamInput } from './context.js'
import type { HttpInput, HttpOperation } from './operation.js'
import { isSegment } from './safe-path.js'
import { percentEncoded, reservedKept, serialized, textOf } from './serialized.js'

/** Whether a credential or an input may be a header of this name. */
export const mayBeHeader = (name: string): boolean => headerKind(name) === 'input'

export interface Given extends HttpInput {
  /** The input of the capability. */
  readonly input?: string
  readonly value: unknown
}

/** The inputs that were given, with where they go. Null is a value of a body alone. */
export const givenTo = ({ inputs }: HttpOperation, input: UpstreamInput): readonly Given[] =>
  Object.entries(inputs).flatMap(([name, place]) => {
    const value = Object.hasOwn(input, name) ? input[name] : undefined
    const isBody = place.in === 'body' || place.in === 'whole-body'
    return value === undefined || (value === null && !isBody) ? [] : [{ ...place, input: name, value }]
  })

/** An input as its place, style and kind write it (OpenAPI 3.2, 4.12.6); undefined where nothing is written. */
export function writtenValue(
  given: Given,
  place: ParameterPlace,
  encode: (text: string) => string,
): string | undefined {
  const { name, json, style = STYLES_AT[place][0]! } = given
  const { explode = explodesByDefault(style) } = given
  const value = json === true ? JSON.stringify(given.value) : given.value
  const isNamed = place === 'query' || place === 'cookie' ? true : style === 'matrix'
  return serialized(value, { name, style, explode, encode, isNamed })
}

/** Adds what is asked for after `?`, encoded already. */
export function addQuery(url: URL, given: readonly Given[], always = ''): void {
  const parts = given.flatMap((each) => {
    if (each.in === 'query')
      return writtenValue(each, 'query', each.reserved === true ? reservedKept : percentEncoded) ?? []
    if (each.in !== 'query-string') return []
    return each.json === true ? percentEncoded(JSON.stringify(each.value)) : (formText([each]) ?? [])
  })
  url.search = [always, ...parts].filter((part) => part !== '').join('&')
}

const AS_IT_IS = (text: string): string => text
const ASCII = /^[\t\u0020-\u007e]*$/u

/** Headers from inputs; undefined where a value would end its line. */
export function headersOf(given: readonly Given[]): Headers | undefined {
  const headers = new Headers()
  for (const each of given) {
    if (each.in !== 'header') continue
    if (!mayBeHeader(each.name)) throw new Error(`An input of the operation may not be the header ${each.name}.`)
    const text = writtenValue(each, 'header', AS_IT_IS)?.replaceAll(
      /[\u0080-\uffff]/gu,
      each.json === true ? escaped : AS_IT_IS,
    )
    if (text === undefined) continue
    if (!ASCII.test(text)) return undefined
    headers.append(each.name, text)
  }
  const cookie = cookieOf(given)
  if (cookie !== undefined && !ASCII.test(cookie)) return undefined
  if (cookie !== undefined && cookie !== '') headers.set('Cookie', cookie)
  return headers
}

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Cookies are parted by `; `, whatever their style (RFC 6265, 4.2.1). A character that ends one is encoded. */
const cookieOf = (given: readonly Given[]): string | undefined => {
  const cookies = given.flatMap((each) => {
    if (each.in !== 'cookie') return []
    const isRaw = each.style === 'cookie'
    const text = writtenValue({ ...each, style: 'cookie' }, 'cookie', isRaw ? cookieEncoded : percentEncoded)
    return text ?? []
  })
  return cookies.length === 0 ? undefined : cookies.join('; ')
}

const cookieEncoded = (text: string): string =>
  text.replaceAll(/[^\u0021\u0023-\u002b\u002d-\u003a\u003c-\u005b\u005d-\u007e]/gu, percentEncoded)

/** The members of a form, one after the other, with a plus for a space; undefined where there is none. */
export function formText(given: readonly Given[]): string | undefined {
  const parts = given.flatMap(formMembers).flatMap((member) => writtenValue(member, 'query', formEncoded) ?? [])
  return parts.length === 0 ? undefined : parts.join('&')
}

const formEncoded = (text: string): string => percentEncoded(text).replaceAll('%20', '+')

/** The members of a form that is one input, or the member itself. An object in it is JSON unless its style says more. */
export function formMembers(given: Given): readonly Given[] {
  if (given.in === 'body') return [isPlain(given) ? { ...given, json: true } : given]
  const { value } = given
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
  return Object.entries(value).flatMap(([name, each]) => formMembers({ in: 'body', name, value: each }))
}

const isPlain = ({ value, style, explode }: Given): boolean =>
  style === undefined && explode === undefined && typeof value === 'object' && value !== null && !Array.isArray(value)

/** The text of a parameter of a path; undefined where a part of it would lead elsewhere. */
export function pathText(given: Given, slashes: readonly string[]): string | undefined {
  const { value, input } = given
  const isOpen = typeof value === 'string' && input !== undefined && slashes.includes(input)
  if (isOpen) return value.split('/').every(isSegment) ? value.split('/').map(percentEncoded).join('/') : undefined
  return leavesOf(value).every(isSegment) ? writtenValue(given, 'path', percentEncoded) : undefined
}

/** All texts that a value is written with. */
const leavesOf = (value: unknown): readonly string[] =>
  Array.isArray(value)
    ? value.flatMap((each) => (each === null ? [] : [textOf(each)]))
    : typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([name, each]) => [name, textOf(each)])
      : [textOf(value)]
