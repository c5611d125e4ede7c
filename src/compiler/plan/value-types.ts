import type { Input, Json, OutputField } from '../../protocol/manifest.js'
import { isResolved } from '../../protocol/presence.js'
import { narrowed, schemaOf } from '../../protocol/value-schema.js'
import { structuredType, type TypeNames } from './structured-types.js'
import type { ValueType } from './value-type.js'

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

/** The literal union of closed values, or the type of the type word, or of the schema. */
function closedTypeOf(input: Input, names: TypeNames): ValueType {
  const literals = [...new Set(input.allowed_values)]
  if (literals.length > 0 && literals.every(isLiteral)) return { kind: 'literals', literals }
  return insideOf(input, names)
}

function insideOf(field: Input | OutputField, names: TypeNames): ValueType {
  const schema = schemaOf(field)
  return schema === undefined
    ? valueTypeOf(field.type)
    : structuredType(narrowed(schema, field.type), field.name, names)
}

/** Returns the type that a handler receives. */
export const inputTypeOf = (input: Input, names: TypeNames): ValueType => closedTypeOf(input, names)

/** Returns the type that a caller may send: any text if the service resolves it. */
export const parameterTypeOf = (input: Input, names: TypeNames): ValueType =>
  isResolved(input) ? valueTypeOf(input.type) : closedTypeOf(input, names)

/** Returns the type of a field that a handler returns. */
export const outputTypeOf = (field: OutputField, names: TypeNames): ValueType => insideOf(field, names)
