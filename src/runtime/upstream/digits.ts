import { parse } from 'lossless-json'
import type { Json } from '../../protocol/manifest.js'

/** Holds for texts that may have a number whose digits no number keeps. */
export const mayHaveDigits = (text: string): boolean => /\d{16}/u.test(text)

/** Reads JSON, and each of its numbers by its digits. */
export const parseDigits = (text: string, parseNumber: (digits: string) => number | string): Json =>
  parse(text, undefined, { parseNumber, onDuplicateKey: ({ newValue }) => newValue }) as Json

/** Checks whether a number keeps these digits: a whole number beyond 2^53-1 does not (decisions, section 19). */
export const isKept = (digits: string): boolean => !/^-?\d+$/u.test(digits) || Number.isSafeInteger(Number(digits))

/** Digits that no number holds stay digits. */
export const keptNumber = (digits: string): number | string => (isKept(digits) ? Number(digits) : digits)

/** Digits that no number holds, as the nearest one that every reader keeps. */
export const nearNumber = (digits: string): number =>
  isKept(digits) ? Number(digits) : Number.MAX_SAFE_INTEGER * (digits.startsWith('-') ? -1 : 1)
