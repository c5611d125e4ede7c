import type { Input, Json } from '../../protocol/manifest.js'
import { isResolved } from '../../protocol/presence.js'

/** A type as the printer needs it: a word of TypeScript, or literals. */
export type ValueType =
  | {
      readonly kind: 'word'
      readonly word: 'string' | 'number' | 'boolean' | 'JsonObject' | 'readonly Json[]' | 'Json'
    }
  | { readonly kind: 'literals'; readonly literals: readonly (string | number | boolean)[] }

type Word = Extract<ValueType, { readonly kind: 'word' }>['word']

const WORDS: ReadonlyMap<string, Word> = new Map([
  ['integer', 'number'],
  ['number', 'number'],
  ['boolean', 'boolean'],
  ['object', 'JsonObject'],
  ['array', 'readonly Json[]'],
  ['any', 'Json'],
])

/** The type of a type word; text unless it says otherwise, domain types included (section 2.5). */
export const valueTypeOf = (word: string): ValueType => ({ kind: 'word', word: WORDS.get(word) ?? 'string' })

const isLiteral = (value: Json): value is string | number | boolean => value !== null && typeof value !== 'object'

/** The literal union of closed values, or the type of the type word. */
function closedTypeOf({ type, allowed_values }: Input): ValueType {
  const literals = [...new Set(allowed_values)]
  if (literals.length === 0 || !literals.every(isLiteral)) return valueTypeOf(type)
  return { kind: 'literals', literals }
}

/** What a handler gets. */
export const inputTypeOf = (input: Input): ValueType => closedTypeOf(input)

/** What a caller may send: any text where the service resolves it. */
export const parameterTypeOf = (input: Input): ValueType =>
  isResolved(input) ? valueTypeOf(input.type) : closedTypeOf(input)
