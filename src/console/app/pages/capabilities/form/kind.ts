/** Choice of a form field for a schema. Pure, so that every shape can be tested without a browser. */
import type { Json, JsonObject } from '../../../../../protocol/manifest.js'
import { typesNamed, type ValueSchema } from '../../../../../protocol/value-schema.js'

/** Name -> schema, as `$defs` of a tool has them. */
export type Definitions = { readonly [name: string]: ValueSchema }

export type Kind =
  | { readonly is: 'choice'; readonly values: readonly Json[] }
  | { readonly is: 'variants'; readonly variants: readonly ValueSchema[] }
  | { readonly is: 'text'; readonly format: string | undefined; readonly isLong: boolean }
  | { readonly is: 'number'; readonly isWhole: boolean }
  | { readonly is: 'truth' | 'null' | 'json' }
  | { readonly is: 'object'; readonly members: readonly Member[] }
  | { readonly is: 'list'; readonly item: ValueSchema }

export interface Member {
  readonly name: string
  readonly schema: ValueSchema
  readonly isRequired: boolean
}

const DEFINITION = '#/$defs/'

/** Returns the target of a reference; the reference's own description takes precedence. */
export function resolved(schema: ValueSchema, definitions: Definitions): ValueSchema {
  const { $ref, ...own } = schema
  if ($ref === undefined) return schema
  const name = $ref.startsWith(DEFINITION) ? $ref.slice(DEFINITION.length) : ''
  const found = Object.hasOwn(definitions, name) ? definitions[name]! : {}
  return { ...resolved(found, definitions), ...own }
}

export function kindOf(schema: ValueSchema): Kind {
  if (schema.enum !== undefined) return { is: 'choice', values: schema.enum }
  if (schema.const !== undefined) return { is: 'choice', values: [schema.const] }
  const variants = schema.anyOf ?? schema.oneOf
  if (variants !== undefined) return { is: 'variants', variants }
  const types = typesNamed(schema) ?? []
  if (types.length > 1) return { is: 'variants', variants: types.map((type) => ({ ...schema, type })) }
  return KINDS[types[0] ?? 'any']?.(schema) ?? { is: 'json' }
}

const KINDS: { readonly [type: string]: (schema: ValueSchema) => Kind } = {
  string: ({ format, maxLength }) => ({
    is: 'text',
    format,
    isLong: typeof maxLength === 'number' && maxLength > 200 && format === undefined,
  }),
  integer: () => ({ is: 'number', isWhole: true }),
  number: () => ({ is: 'number', isWhole: false }),
  boolean: () => ({ is: 'truth' }),
  null: () => ({ is: 'null' }),
  object: (schema) => {
    const members = membersOf(schema)
    return members.length === 0 ? { is: 'json' } : { is: 'object', members }
  },
  array: ({ items }) =>
    items === undefined || Object.keys(items).length === 0 ? { is: 'json' } : { is: 'list', item: items },
}

/** Lists the members, required ones first: the wire does not keep an author's order. */
export const membersOf = ({ properties = {}, required = [] }: ValueSchema): readonly Member[] =>
  Object.entries(properties)
    .map(([name, schema]) => ({ name, schema, isRequired: required.includes(name) }))
    .sort((one, other) => Number(other.isRequired) - Number(one.isRequired))

/** The name of a variant: what its author calls it, else the constant that tells it apart, else its type. */
export function variantName(variant: ValueSchema, index: number): string {
  const constant = Object.entries(variant.properties ?? {}).find(([, { const: value }]) => value !== undefined)
  if (typeof variant.title === 'string') return variant.title
  if (constant !== undefined) return `${constant[0]} ${String(constant[1].const)}`
  if (variant.const !== undefined) return String(variant.const)
  return typesNamed(variant)?.join(' or ') ?? `choice ${index + 1}`
}

/** Returns the initial value: empty, except for what is required. */
export function blankOf(schema: ValueSchema, definitions: Definitions, depth = 0): Json | undefined {
  const kind = kindOf(resolved(schema, definitions))
  if (kind.is === 'null') return null
  if (kind.is === 'choice') return kind.values.length === 1 ? kind.values[0] : undefined
  if (kind.is === 'list') return []
  if (kind.is !== 'object' || depth > MOST_DEPTH) return undefined
  const members = kind.members.flatMap(({ name, schema: inner, isRequired }) => {
    const value = isRequired ? blankOf(inner, definitions, depth + 1) : undefined
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(members)
}

export const MOST_DEPTH = 12

/** An object with a member put, or taken out where it has no value; always with the members in the order of the schema. */
export function withMember(
  object: JsonObject,
  members: readonly Member[],
  name: string,
  value: Json | undefined,
): JsonObject {
  const all = new Map(Object.entries(object))
  if (value === undefined) all.delete(name)
  else all.set(name, value)
  const order = [...members.map((member) => member.name), ...all.keys()]
  return Object.fromEntries(
    [...new Set(order)].flatMap((each) => (all.has(each) ? [[each, all.get(each)!] as const] : [])),
  )
}

/** Parses a typed number; returns the text itself if it is none, so that the service reports the error. */
export function numberFrom(typed: string): Json | undefined {
  const text = typed.trim()
  if (text === '') return undefined
  return /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/iu.test(text) && Number.isFinite(Number(text)) ? Number(text) : text
}
