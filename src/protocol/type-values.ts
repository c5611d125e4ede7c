/** Constraints of the values of each type word, for calls and for the manifest (section 2.5). */
import { durationMs } from './durations.js'
import type { CheckedInputType } from './words.js'

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

export const isPlainObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Type word -> whether a value is of it. Any other word is a domain type, and a string. */
export const TYPE_HOLDS: { readonly [type in CheckedInputType]: (value: unknown) => boolean } = {
  string: isText,
  integer: Number.isSafeInteger,
  number: Number.isFinite,
  boolean: (value) => typeof value === 'boolean',
  date: (value) => isText(value) && isDate(value),
  datetime: (value) => isText(value) && isDateTime(value),
  duration: (value) => isText(value) && durationMs(value) !== undefined,
  object: isPlainObject,
  array: Array.isArray,
  uri: (value) => isText(value) && value.length <= 2048 && URI.test(value),
  email: (value) => isText(value) && value.length <= 254 && EMAIL.test(value),
  uuid: (value) => isText(value) && UUID.test(value),
}
