import { sameJson } from '../../json/same-json.js'
import type { Json } from '../../../protocol/manifest.js'
import { isPlainObject, TYPE_HOLDS } from '../../../protocol/type-values.js'
import type { ValueFormat } from '../../../protocol/value-schema.js'
import type { CheckedInputType } from '../../../protocol/words.js'
import type { InputProblem, Validate } from '../../definition.js'
import { insideProblems, type ValueCheck } from './structured.js'

interface TypeRow {
  readonly holds: (value: unknown) => boolean
  /** Completes "must be ...". */
  readonly expected: string
}

/** Input type -> how what holds for its values is said (section 2.5). */
const EXPECTED: { readonly [type in CheckedInputType]: string } = {
  string: 'a string',
  integer: 'a whole number within ±(2^53 - 1)',
  number: 'a number',
  boolean: 'true or false',
  date: 'a calendar date, as 2026-02-28',
  datetime: 'an RFC 3339 time with an offset, as 2026-02-28T09:30:00Z',
  duration: 'an ISO 8601 duration, as PT15M',
  object: 'an object',
  array: 'an array',
  uri: 'a URI with a scheme',
  email: 'an e-mail address',
  uuid: 'a UUID',
}

const ANYTHING: TypeRow = { holds: (value) => value !== undefined, expected: 'a value' }

const holdsFor =
  (type: CheckedInputType) =>
  (text: string): boolean =>
    TYPE_HOLDS[type](text)

/** Checks of `format` in structured values: the same as those of the input type of that meaning. */
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
  const known = Object.hasOwn(TYPE_HOLDS, type) ? (type as CheckedInputType) : 'string'
  return { holds: TYPE_HOLDS[known], expected: EXPECTED[known] }
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
