import { durationMs } from '../../../protocol/durations.js'
import type { Json } from '../../../protocol/manifest.js'

type Fits = (value: Json) => boolean

const isText = (value: Json): value is string => typeof value === 'string'

/** The checked input types [2.5] -> whether a value fits. Any other type is a domain type, and a string. */
const fitsOf: { readonly [type: string]: Fits } = {
  string: isText,
  integer: (value) => Number.isSafeInteger(value),
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  date: (value) =>
    isText(value) &&
    /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/u.test(value) &&
    !Number.isNaN(Date.parse(value)),
  datetime: (value) => isText(value) && /^\d{4}-\d\d-\d\dT/u.test(value) && !Number.isNaN(Date.parse(value)),
  duration: (value) => isText(value) && durationMs(value) !== undefined,
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  array: (value) => Array.isArray(value),
  uri: (value) => isText(value) && /^[a-z][a-z0-9+.-]*:[^\s]+$/i.test(value),
  email: (value) => isText(value) && /^[^\s@]+@[^\s@]+\.[^\s@]+$/u.test(value),
  uuid: (value) => isText(value) && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value),
  any: () => true,
}

export const fitsType = (value: Json, type: string): boolean =>
  (Object.hasOwn(fitsOf, type) ? fitsOf[type]! : isText)(value)

/** A value as a message shows it. */
export const shownValue = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}

export const sameValue = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
