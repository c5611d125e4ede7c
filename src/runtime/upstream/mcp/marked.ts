import { randomUUID } from 'node:crypto'
import type { Json } from '../../../protocol/manifest.js'
import { isKept, mayHaveDigits, parseDigits } from '../digits.js'

/** No server knows it, so no text of a server begins with it. */
const MARK = `digits ${randomUUID()} `

/** Reads JSON. Numbers whose digits no number keeps become marked texts, which survive being written and read again. */
export const markedJson = (text: string): Json =>
  mayHaveDigits(text)
    ? parseDigits(text, (digits) => (isKept(digits) ? Number(digits) : MARK + digits))
    : (JSON.parse(text) as Json)

/** Returns a value with what the marked digits stand for. */
export function unmarked<Value extends Json>(value: Value, valueOf: (digits: string) => Json): Value {
  const text = JSON.stringify(value)
  if (!text.includes(MARK)) return value
  return JSON.parse(text, (_, each: Json) =>
    typeof each === 'string' && each.startsWith(MARK) ? valueOf(each.slice(MARK.length)) : each,
  ) as Value
}
