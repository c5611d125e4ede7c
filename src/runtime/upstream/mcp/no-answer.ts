/** Messages as they are handed to the library of the protocol. */
import { mayHaveDigits } from '../digits.js'
import { markedJson } from './marked.js'

/** An error that no server gives. */
export const NO_ANSWER = Number.MIN_SAFE_INTEGER

export const noAnswerTo = (id: unknown): string =>
  JSON.stringify({ jsonrpc: '2.0', id, error: { code: NO_ANSWER, message: '' } })

/** The text of a message, in which large numbers are marked; what is no JSON stays as it is. */
export function marked(text: string): string {
  if (!mayHaveDigits(text)) return text
  try {
    return JSON.stringify(markedJson(text))
  } catch {
    return text
  }
}
