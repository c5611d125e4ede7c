import type { ScalarValue } from './tree.js'

/** Words for null in the core schema of YAML 1.2. */
const NULLS: ReadonlySet<string> = new Set(['', '~', 'null', 'Null', 'NULL'])
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['True', true],
  ['TRUE', true],
  ['false', false],
  ['False', false],
  ['FALSE', false],
])

/** Problem of a number in the text. */
export type NumberTrouble = 'not-finite' | 'too-big'

export interface PlainScalar {
  readonly value: ScalarValue
  readonly trouble?: NumberTrouble
}

/** Letters never begin a number, and only these begin another word of the core schema. */
const WORD_STARTS = 'tTfFnN~'

export function plainScalar(text: string): ScalarValue | PlainScalar {
  const first = text.charCodeAt(0)
  if (first >= 65 && !WORD_STARTS.includes(text[0]!)) return text
  if (NULLS.has(text)) return null
  const flag = BOOLEANS.get(text)
  if (flag !== undefined) return flag
  if (first > 57) return text
  return plainNumber(text) ?? numberOf(text)
}

/** Digits and points only: a number, or with several points a version. Undefined for what needs a closer look. */
function plainNumber(text: string): number | string | undefined {
  let points = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 46) points++
    else if (code < 48 || code > 57) return undefined
  }
  if (points > 1) return text
  const value = Number(text)
  return Number.isNaN(value) || value > Number.MAX_SAFE_INTEGER ? undefined : value
}

function numberOf(text: string): ScalarValue | PlainScalar {
  if (/^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/u.test(text)) return { value: text, trouble: 'not-finite' }
  const based = /^0(?:o[0-7]+|x[0-9a-fA-F]+)$/u.test(text)
  if (!based && !/^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/u.test(text)) return text
  const value = Number(text)
  if (!Number.isFinite(value)) return { value: text, trouble: 'not-finite' }
  if ((based || /^[-+]?[0-9]+$/u.test(text)) && !Number.isSafeInteger(value)) return { value: text, trouble: 'too-big' }
  return value
}

/** Reads a word as a YAML 1.1 boolean, which is text in YAML 1.2. */
export function oldBooleanOf(word: string): boolean | undefined {
  if (word.length > 3) return undefined
  if (['yes', 'Yes', 'YES', 'y', 'Y', 'on', 'On', 'ON'].includes(word)) return true
  return ['no', 'No', 'NO', 'n', 'N', 'off', 'Off', 'OFF'].includes(word) ? false : undefined
}

/** Checks whether YAML 1.1 and 1.2 read a number differently: octal, grouped, base 60, binary. */
export const isOldNumber = (text: string): boolean =>
  !isUsualNumber(text) &&
  /^[-+]?(?:0[0-7]+|0b[01_]+|[0-9][0-9_]*_[0-9_]*(?:\.[0-9_]*)?|[1-9][0-9]*(?::[0-5]?[0-9])+(?:\.[0-9]*)?)$/u.test(text)

/** Digits, perhaps with a point between them, that begin with no useless 0. */
function isUsualNumber(text: string): boolean {
  if (text.charCodeAt(0) === 48 && text.charCodeAt(1) !== 46) return text.length === 1
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code !== 46 && (code < 48 || code > 57)) return false
  }
  return true
}

/** Checks whether YAML 1.1 reads a date. */
export const isOldDate = (text: string): boolean =>
  /^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?(?:[ \t]*(?:Z|[-+][0-9]{1,2}(?::?[0-9]{2})?))?)?$/u.test(
    text,
  )
