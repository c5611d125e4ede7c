import type { ScalarValue } from './tree.js'

/** How YAML 1.2's core schema reads a plain scalar. */
const NULLS: ReadonlySet<string> = new Set(['', '~', 'null', 'Null', 'NULL'])
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['True', true],
  ['TRUE', true],
  ['false', false],
  ['False', false],
  ['FALSE', false],
])
const DECIMAL = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/u
const INTEGER = /^[-+]?[0-9]+$/u
const BASED = /^0(?:o[0-7]+|x[0-9a-fA-F]+)$/u
const NOT_FINITE = /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/u

/** What is wrong with a number that the text spells. */
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
  if (NOT_FINITE.test(text)) return { value: text, trouble: 'not-finite' }
  const based = BASED.test(text)
  if (!based && !DECIMAL.test(text)) return text
  const value = Number(text)
  if (!Number.isFinite(value)) return { value: text, trouble: 'not-finite' }
  if ((based || INTEGER.test(text)) && !Number.isSafeInteger(value)) return { value: text, trouble: 'too-big' }
  return value
}

/** Words that YAML 1.1 takes for booleans and YAML 1.2 for text. */
export const OLD_BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ...['yes', 'Yes', 'YES', 'y', 'Y', 'on', 'On', 'ON'].map((word) => [word, true] as const),
  ...['no', 'No', 'NO', 'n', 'N', 'off', 'Off', 'OFF'].map((word) => [word, false] as const),
])
/** Numbers that YAML 1.1 and 1.2 read differently: octal, grouped, base 60, binary. */
export const OLD_NUMBER =
  /^[-+]?(?:0[0-7]+|0b[01_]+|[0-9][0-9_]*_[0-9_]*(?:\.[0-9_]*)?|[1-9][0-9]*(?::[0-5]?[0-9])+(?:\.[0-9]*)?)$/u
/** What YAML 1.1 reads as a date. */
export const OLD_DATE =
  /^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?(?:[ \t]*(?:Z|[-+][0-9]{1,2}(?::?[0-9]{2})?))?)?$/u
