import type { Json } from '../../protocol/manifest.js'
import type { UpstreamInput } from './context.js'
import type { HttpInput, HttpOperation } from './operation.js'

/** Headers that say who calls, where to, or how the message is framed: no input is one. */
const OWN_HEADERS = new Set([
  'authorization', 'connection', 'content-length', 'content-type', 'cookie', 'expect', 'forwarded', 'host', 'idempotency-key', 'keep-alive',
  'origin', 'proxy-authorization', 'proxy-connection', 'referer', 'te', 'traceparent', 'tracestate', 'trailer', 'transfer-encoding', 'upgrade', 'via',
]) // prettier-ignore

/** Whether an input may be a header of this name. */
export const mayBeHeader = (name: string): boolean =>
  /^[\w!#$%&'*+.^`|~-]{1,128}$/u.test(name) &&
  !/^(?:x-forwarded-|sec-)/iu.test(name) &&
  !OWN_HEADERS.has(name.toLowerCase())

interface Given extends HttpInput {
  readonly value: unknown
}

/** The inputs that were given, with where they go. */
export const givenTo = ({ inputs }: HttpOperation, input: UpstreamInput): readonly Given[] =>
  Object.entries(inputs).flatMap(([name, place]) => {
    const value = Object.hasOwn(input, name) ? input[name] : undefined
    return value === undefined || (value === null && place.in !== 'body') ? [] : [{ ...place, value }]
  })

/** A value as a path, a query or a header has it. */
export const textOf = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)

export function addQuery(url: URL, given: readonly Given[]): void {
  for (const { in: place, name, value, joined } of given) {
    if (place !== 'query') continue
    const values = Array.isArray(value) ? value.map(textOf) : [textOf(value)]
    for (const each of joined ? [values.join(',')] : values) url.searchParams.append(name, each)
  }
}

/** Headers from inputs; undefined where a value would end its line. */
export function headersOf(given: readonly Given[]): Headers | undefined {
  const headers = new Headers()
  for (const { in: place, name, value } of given) {
    if (place !== 'header') continue
    if (!mayBeHeader(name)) throw new Error(`An input of the operation may not be the header ${name}.`)
    const text = textOf(value)
    if (/[^\t\u0020-\u007e]/u.test(text)) return undefined
    headers.append(name, text)
  }
  return headers
}

/** The body and its type; undefined where the operation has none. */
export function requestBodyOf(
  { form }: HttpOperation,
  given: readonly Given[],
): { readonly type: string; readonly text: string } | undefined {
  const whole = given.find((each) => each.in === 'whole-body')
  const members = given.filter((each) => each.in === 'body')
  if (whole === undefined && members.length === 0) return undefined
  if (form === undefined) return { type: 'application/json', text: JSON.stringify(whole?.value ?? objectOf(members)) }
  const text = new URLSearchParams(members.map(({ name, value }): [string, string] => [name, textOf(value)])).toString()
  return { type: 'application/x-www-form-urlencoded', text }
}

/** Names come from a document: none may be anything but a member. */
const objectOf = (members: readonly Given[]): object => {
  const body: { [name: string]: Json } = Object.create(null) as object as { [name: string]: Json }
  for (const { name, value } of members) body[name] = value as Json
  return body
}
