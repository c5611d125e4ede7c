import { isRecord } from '../../crypto/json/kinds.js'
import type { Json, JsonObject } from '../../protocol/manifest.js'
import { refuse } from '../errors/refusal.js'

/** Readers of request bodies: each gives a member in its type, undefined where it is absent or null, or refuses. */

/** A body that must be an object with no other members than the named ones. */
export function membersOf(body: Json | undefined, names: readonly string[]): JsonObject {
  if (!isRecord(body)) refuse('invalid_parameters', 'The request body must be a JSON object.')
  const unknown = Object.keys(body).filter((name) => !names.includes(name))
  if (unknown.length === 0) return body
  const known = names.length === 0 ? 'None is known' : `Known are ${names.join(', ')}`
  return refuse('invalid_parameters', `The request has unknown members: ${shown(unknown)}. ${known}.`)
}

/** Like `membersOf`, for a body that may be left out. */
export const optionalMembersOf = (body: Json | undefined, names: readonly string[]): JsonObject =>
  membersOf(body === undefined ? {} : body, names)

/** A body of a question whose filters are query parameters: none, or an empty object. */
export function assertNoFilters(body: Json | undefined, filters: readonly string[]): void {
  const sent = isRecord(body) ? Object.keys(body).filter((name) => filters.includes(name)) : []
  if (sent.length > 0)
    refuse(
      'invalid_parameters',
      `The body takes no filters, but has ${sent.join(', ')}: send them as query parameters.`,
    )
  optionalMembersOf(body, [])
}

/** An own member; null counts as absent. */
export const member = (body: JsonObject, name: string): Json | undefined =>
  Object.hasOwn(body, name) && body[name] !== null ? body[name] : undefined

export function textMember(body: JsonObject, name: string, holds: (text: string) => boolean, expected: string) {
  const value = member(body, name)
  if (value === undefined) return undefined
  if (typeof value === 'string' && holds(value)) return value
  return refuse('invalid_parameters', `The member ${name} must be ${expected}.`)
}

export const shortText = (body: JsonObject, name: string, most = 256) =>
  textMember(body, name, (text) => text.length > 0 && isWithin(text, most), `a string of 1 to ${most} characters`)

/** A list of so many short texts at most. */
export function textsMember(body: JsonObject, name: string, most: number): readonly string[] | undefined {
  const value = member(body, name)
  if (value === undefined) return undefined
  const isText = (each: Json): each is string => typeof each === 'string' && each.length > 0 && isWithin(each, 256)
  if (Array.isArray(value) && value.length <= most && value.every(isText)) return value
  return refuse(
    'invalid_parameters',
    `The member ${name} must be a list of at most ${most} strings of 1 to 256 characters.`,
  )
}

/** Lengths count code points, as people do (section 8). */
export const isWithin = (text: string, most: number): boolean =>
  text.length <= most || (text.length <= 2 * most && [...text].length <= most)

export function wordAmong<Word extends string>(
  body: JsonObject,
  name: string,
  words: readonly Word[],
): Word | undefined {
  const value = member(body, name)
  if (value === undefined) return undefined
  const word = words.find((each) => each === value)
  return word ?? refuse('invalid_parameters', `The member ${name} must be one of ${words.join(', ')}.`)
}

export function objectMember(body: JsonObject, name: string): JsonObject | undefined {
  const value = member(body, name)
  if (value === undefined || isRecord(value)) return value
  return refuse('invalid_parameters', `The member ${name} must be an object.`)
}

export function numberMember(body: JsonObject, name: string, holds: (value: number) => boolean, expected: string) {
  const value = member(body, name)
  if (value === undefined) return undefined
  if (typeof value === 'number' && holds(value)) return value
  return refuse('invalid_parameters', `The member ${name} must be ${expected}.`)
}

export function booleanMember(body: JsonObject, name: string): boolean | undefined {
  const value = member(body, name)
  if (value === undefined || typeof value === 'boolean') return value
  return refuse('invalid_parameters', `The member ${name} must be true or false.`)
}

/** Names from a caller, made short and safe to show. */
const shown = (names: readonly string[]): string =>
  names
    .slice(0, 5)
    .map((name) => JSON.stringify(name.slice(0, 40)))
    .join(', ')
