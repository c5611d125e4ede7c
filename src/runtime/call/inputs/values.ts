import { sameJson } from '../../json/same-json.js'
import { durationMs } from '../../../protocol/durations.js'
import type { Json } from '../../../protocol/manifest.js'
import type { ValueFormat } from '../../../protocol/value-schema.js'
import type { CheckedInputType } from '../../../protocol/words.js'
import type { InputProblem, Validate } from '../../definition.js'
import { insideProblems, type ValueCheck } from './structured.js'

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/u
const DATETIME = /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.\d{1,9})?(?:[Zz]|[+-](\d{2}):(\d{2}))$/u
const EMAIL = /^[^\s@<>()[\]\\,;:"]{1,64}@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,62})(?:\.[a-zA-Z0-9-]{1,63}){0,8}$/u
const UUID = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/u
const URI = /^[a-zA-Z][a-zA-Z0-9+.-]{0,31}:[^\s\u0000-\u001f<>"{}|\\^`]+$/u

const isText = (value: unknown): value is string => typeof value === 'string'

function isDate(text: string): boolean {
  const match = DATE.exec(text)
  if (match === null) return false
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number]
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}

/** True for an RFC 3339 time with an offset. */
export function isDateTime(text: string): boolean {
  const match = DATETIME.exec(text)
  if (match === null || !isDate(match[1]!)) return false
  const [hour, minute, second, offsetHour = 0, offsetMinute = 0] = match.slice(2).map((part) => Number(part ?? 0))
  return hour! < 24 && minute! < 60 && second! < 61 && offsetHour < 24 && offsetMinute < 60
}

const isPlainObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)

interface TypeRow {
  readonly holds: (value: unknown) => boolean
  /** Completes "must be ...". */
  readonly expected: string
}

/** Input type -> what holds for its values (section 2.5). */
// prettier-ignore
const TYPES: { readonly [type in CheckedInputType]: TypeRow } = {
  string:   { holds: isText, expected: 'a string' },
  integer:  { holds: Number.isSafeInteger, expected: 'a whole number within ±(2^53 - 1)' },
  number:   { holds: Number.isFinite, expected: 'a number' },
  boolean:  { holds: (value) => typeof value === 'boolean', expected: 'true or false' },
  date:     { holds: (value) => isText(value) && isDate(value), expected: 'a calendar date, as 2026-02-28' },
  datetime: { holds: (value) => isText(value) && isDateTime(value), expected: 'an RFC 3339 time with an offset, as 2026-02-28T09:30:00Z' },
  duration: { holds: (value) => isText(value) && durationMs(value) !== undefined, expected: 'an ISO 8601 duration, as PT15M' },
  object:   { holds: isPlainObject, expected: 'an object' },
  array:    { holds: Array.isArray, expected: 'an array' },
  uri:      { holds: (value) => isText(value) && value.length <= 2048 && URI.test(value), expected: 'a URI with a scheme' },
  email:    { holds: (value) => isText(value) && value.length <= 254 && EMAIL.test(value), expected: 'an e-mail address' },
  uuid:     { holds: (value) => isText(value) && UUID.test(value), expected: 'a UUID' },
}

const ANYTHING: TypeRow = { holds: (value) => value !== undefined, expected: 'a value' }

const holdsFor =
  (type: CheckedInputType) =>
  (text: string): boolean =>
    TYPES[type].holds(text)

/** What `format` of a structured value asserts: the same as the input type of that meaning. */
export const valueFormats: { readonly [format in ValueFormat]: (text: string) => boolean } = {
  date: holdsFor('date'),
  'date-time': holdsFor('datetime'),
  duration: holdsFor('duration'),
  uri: holdsFor('uri'),
  email: holdsFor('email'),
  uuid: holdsFor('uuid'),
}

/** The row of a type word; a domain type is treated as a string. */
function rowOf(type: string): TypeRow {
  if (type === 'any') return ANYTHING
  return Object.hasOwn(TYPES, type) ? TYPES[type as CheckedInputType] : TYPES.string
}

const NO_PROBLEM: readonly InputProblem[] = []

/**
 * Checks one input value against its declared type and, when given, its closed set of values (section 2.5).
 * Used by generated validators; the path of a problem is empty, because the value is the input itself.
 */
export function inputValue(type: string, allowed?: readonly Json[]): Validate {
  const row = rowOf(type)
  return (value) => {
    if (!row.holds(value)) return [{ path: '', message: `must be ${row.expected}` }]
    if (allowed === undefined || allowed.some((each) => sameJson(each, value))) return NO_PROBLEM
    return [{ path: '', message: `must be one of ${JSON.stringify(allowed)}` }]
  }
}

/** The declared type of an output field: a type word, or one beside `null` where there may be no value. */
export type FieldType = string | readonly [type: string, orNull: 'null']

/**
 * Checks what a handler returns: an object that holds every declared output field, each of its type, and null only
 * where its type or its schema says so (section 2.4). `checks` look inside. Undeclared members are dropped by the
 * runtime, not reported. `const`: a field may be called `toString`, of which TypeScript expects something else.
 */
export function outputFields<const Fields extends { readonly [name: string]: FieldType }>(
  fields: Fields,
  checks: { readonly [name: string]: ValueCheck } = {},
): Validate {
  const rows = Object.entries(fields).map(
    ([name, type]) => [name, fieldRow(type), insideOf(name, type, checks)] as const,
  )
  return (value) => {
    if (!isPlainObject(value)) return [{ path: '', message: 'must be an object' }]
    const members = value as { readonly [name: string]: unknown }
    return rows.flatMap(([name, row, inside]) => {
      const member = Object.hasOwn(members, name) ? members[name] : undefined
      const problems = outputProblem(name, row, member)
      return problems.length > 0 ? problems : inside(member)
    })
  }
}

/** The check of what is inside a field. Where there may be no value, null is not looked into. */
function insideOf(name: string, type: FieldType, checks: { readonly [name: string]: ValueCheck }): Validate {
  const check = Object.hasOwn(checks, name) ? checks[name] : undefined
  if (check === undefined) return () => NO_PROBLEM
  const mayBeAbsent = typeof type !== 'string'
  return (value) => {
    if (mayBeAbsent && value === null) return NO_PROBLEM
    return insideProblems(check, value).map(({ path, message }) => ({ path: `/${name}${path}`, message }))
  }
}

function fieldRow(type: FieldType): TypeRow {
  if (typeof type === 'string') return rowOf(type)
  const { holds, expected } = rowOf(type[0])
  return { holds: (value) => value === null || holds(value), expected: `${expected}, or null` }
}

function outputProblem(name: string, { holds, expected }: TypeRow, value: unknown): readonly InputProblem[] {
  if (holds(value)) return NO_PROBLEM
  return [{ path: name, message: `${value === undefined ? 'is missing; it ' : ''}must be ${expected}` }]
}
