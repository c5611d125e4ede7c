/** Schemas of structured values: JSON Schema 2020-12 with a closed list of keywords (decisions, section 12). */
import type { Json, JsonObject, Manifest } from './manifest.js'

export const VALUE_TYPES = ['string', 'integer', 'number', 'boolean', 'object', 'array', 'null'] as const
export type SchemaType = (typeof VALUE_TYPES)[number]

/** Values of `format`; each is checked like the input type of the same meaning. */
export const VALUE_FORMATS = ['date', 'date-time', 'duration', 'uri', 'email', 'uuid'] as const
export type ValueFormat = (typeof VALUE_FORMATS)[number]

export type Scalar = string | number | boolean | null

/** A schema that has passed `svc validate`. */
export interface ValueSchema {
  readonly type?: SchemaType | readonly SchemaType[]
  readonly title?: string
  readonly description?: string
  readonly enum?: readonly Scalar[]
  readonly const?: Scalar
  readonly properties?: { readonly [name: string]: ValueSchema }
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | ValueSchema
  readonly items?: ValueSchema
  readonly anyOf?: readonly ValueSchema[]
  readonly oneOf?: readonly ValueSchema[]
  readonly $ref?: string
  readonly format?: ValueFormat
  /** Bounds, annotations and what else decides no type. */
  readonly [keyword: string]: unknown
}

/** Name -> schema: what `$ref` leads to. */
export interface ValueSchemas {
  readonly [name: string]: ValueSchema
}

export const SCHEMA_REFERENCE = '#/x-schemas/'

/** The name that a reference leads to. */
export const referredName = (reference: string): string => reference.slice(SCHEMA_REFERENCE.length)

/** The shared schemas of a manifest. */
export const schemasOf = ({ extensions }: Pick<Manifest, 'extensions'>): ValueSchemas =>
  (extensions?.['x-schemas'] ?? {}) as unknown as ValueSchemas

/** The schema of an input or an output field. */
export const schemaOf = (field: { readonly 'x-schema'?: JsonObject }): ValueSchema | undefined =>
  field['x-schema'] as ValueSchema | undefined

/** Type word -> the types of JSON that its values have. A domain type is a string; `any` is every type. */
const TYPES_OF_WORD: { readonly [word: string]: readonly SchemaType[] } = {
  integer: ['integer'],
  number: ['number'],
  boolean: ['boolean'],
  object: ['object'],
  array: ['array'],
  any: VALUE_TYPES,
}

export const typesOfWord = (word: string): readonly SchemaType[] =>
  Object.hasOwn(TYPES_OF_WORD, word) ? TYPES_OF_WORD[word]! : ['string']

/** The types that a schema names itself; undefined where it names none. */
export function typesNamed({
  type,
}: {
  readonly type?: Json | ValueSchema['type']
}): readonly SchemaType[] | undefined {
  if (type === undefined) return undefined
  return (Array.isArray(type) ? type : [type]) as readonly SchemaType[]
}

/**
 * A schema as it holds for a value of a type word: it narrows the type, so the type stands in where the schema names
 * none.
 */
export function narrowed(schema: ValueSchema, word: string): ValueSchema {
  const decides = ['type', '$ref', 'anyOf', 'oneOf', 'enum', 'const'].some((keyword) => schema[keyword] !== undefined)
  if (decides || word === 'any') return schema
  return { type: typesOfWord(word)[0]!, ...schema }
}

/** A schema with each schema inside it made anew, then itself. */
export function mapSchema(schema: ValueSchema, change: (schema: ValueSchema) => ValueSchema): ValueSchema {
  const inner = (each: ValueSchema): ValueSchema => mapSchema(each, change)
  const { properties, items, additionalProperties, anyOf, oneOf } = schema
  return change({
    ...schema,
    ...(properties !== undefined && { properties: membersOf(properties, inner) }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: inner(additionalProperties) }),
    ...(items !== undefined && { items: inner(items) }),
    ...(anyOf !== undefined && { anyOf: anyOf.map(inner) }),
    ...(oneOf !== undefined && { oneOf: oneOf.map(inner) }),
  })
}

const membersOf = (properties: ValueSchemas, inner: (schema: ValueSchema) => ValueSchema): ValueSchemas =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, inner(schema)]))

/**
 * A schema whose references are spelt as their reader wants them, and whose whole numbers are those that every JSON
 * reader keeps.
 */
export const publishedSchema = (schema: ValueSchema, refer: (name: string) => string): ValueSchema =>
  mapSchema(schema, (each) => {
    if (each.$ref?.startsWith(SCHEMA_REFERENCE)) return { ...each, $ref: refer(referredName(each.$ref)) }
    const types = typesNamed(each) ?? []
    if (!types.includes('integer') || types.includes('number') || each.enum !== undefined) return each
    const { minimum = LEAST, maximum = MOST, ...rest } = each
    return { ...rest, minimum, maximum }
  })

const LEAST = Number.MIN_SAFE_INTEGER
const MOST = Number.MAX_SAFE_INTEGER
