import { plainScalar } from '../scalars.js'
import type { ScalarValue } from '../tree.js'

/** Longer texts are rarely repeated. */
const LONGEST = 24
const SLOTS = 8192
/** A short text is read sooner than that many slots are made. */
const FEW = 256
const SHORT = 32 * 1024

interface Word {
  readonly text: string
  readonly value: ScalarValue
}

/**
 * Reads plain texts, and gives the same string for the same word: a manifest is made of few words, many times over.
 * Undefined if the text is a number that only the full parser can judge.
 */
export interface Words {
  read(text: string, start: number, end: number): ScalarValue | undefined
}

export function createWords(length: number): Words {
  const slots: (Word | undefined)[] = []
  slots.length = length < SHORT ? FEW : SLOTS
  const last = slots.length - 1
  return {
    read(text, start, end) {
      const length = end - start
      if (length > LONGEST) return valueOf(text.slice(start, end))
      const slot = slotOf(text, start, end) & last
      const known = slots[slot]
      if (known !== undefined && known.text.length === length && text.startsWith(known.text, start)) return known.value
      const word = text.slice(start, end)
      const value = valueOf(word)
      if (value !== undefined) slots[slot] = { text: word, value: typeof value === 'string' ? word : value }
      return value
    },
  }
}

function valueOf(word: string): ScalarValue | undefined {
  const value = plainScalar(word)
  return typeof value === 'object' && value !== null ? undefined : value
}

function slotOf(text: string, start: number, end: number): number {
  const first = text.charCodeAt(start)
  const middle = text.charCodeAt((start + end) >> 1)
  const last = text.charCodeAt(end - 1)
  return first * 31 + middle * 131 + last * 17 + (end - start) * 977
}
