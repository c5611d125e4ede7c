import type { Json } from '../../../protocol/manifest.js'
import { TYPE_HOLDS } from '../../../protocol/type-values.js'
import type { CheckedInputType } from '../../../protocol/words.js'

/** Checks whether a value has a type, as in a call [2.5]. Any other type is a domain type, and a string. */
export function fitsType(value: Json, type: string): boolean {
  if (type === 'any') return true
  return (Object.hasOwn(TYPE_HOLDS, type) ? TYPE_HOLDS[type as CheckedInputType] : TYPE_HOLDS.string)(value)
}

/** A value as a message shows it. */
export const shownValue = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}

export const sameValue = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
