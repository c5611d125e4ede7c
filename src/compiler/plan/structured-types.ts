import {
  referredName,
  typesNamed,
  type Scalar,
  type ValueSchema,
  type ValueSchemas,
  type SchemaType as JsonType,
} from '../../protocol/value-schema.js'
import { typeNameOf } from '../names.js'
import type { PropertyPlan } from './property-plan.js'
import type { ValueType } from './value-type.js'

/** A type that has a name in generated code: an object's members, or what a name stands for. */
export type NamedType = { readonly name: string; readonly comment: readonly string[] } & (
  | { readonly properties: readonly PropertyPlan[]; readonly isOpen: boolean }
  | { readonly properties?: never; readonly type: ValueType }
)

/** Gives names to what is inside values, each once, and keeps what they stand for. */
export interface TypeNames {
  readonly take: (hint: string) => string
  readonly keep: (type: NamedType) => void
}

/** Names below one prefix: `PlaceOrder_Line`. No other type of generated code has a `_`. */
export function typeNames(prefix: string): TypeNames & { readonly types: readonly NamedType[] } {
  const taken = new Set<string>()
  const types: NamedType[] = []
  const take = (hint: string): string => {
    const name = `${prefix}_${typeNameOf(hint.replaceAll(/[^A-Za-z0-9]+/gu, '_'))}`
    let free = name
    for (let number = 2; taken.has(free); number++) free = `${name}${number}`
    taken.add(free)
    return free
  }
  return { take, keep: (type) => void types.push(type), types }
}

/** The types of the shared schemas, and what is inside them, in the order of the manifest. */
export const sharedTypes = (schemas: ValueSchemas): readonly NamedType[] =>
  Object.entries(schemas).flatMap(([name, schema]) => {
    const names = typeNames(name)
    const type = namedType(schema, name, '', names)
    return [type, ...names.types]
  })

/** The type of what a schema allows; objects get names after the path that leads to them. */
export function structuredType(schema: ValueSchema, path: string, names: TypeNames): ValueType {
  if (schema.$ref !== undefined) return { kind: 'named', name: referredName(schema.$ref) }
  if (schema.const !== undefined) return literalsType([schema.const])
  if (schema.enum !== undefined) return literalsType(schema.enum)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined)
    return unionOf(choices.map((each, index) => structuredType(each, `${path}_choice${index + 1}`, names)))
  const types = typesNamed(schema)
  if (types === undefined) return ANYTHING
  return unionOf(types.map((type) => typeOfJsonType(type, schema, path, names)))
}

const ANYTHING: ValueType = { kind: 'word', word: 'Json' }
const NULL: ValueType = { kind: 'word', word: 'null' }

const PLAIN = { string: 'string', integer: 'number', number: 'number', boolean: 'boolean', null: 'null' } as const

function typeOfJsonType(type: JsonType, schema: ValueSchema, path: string, names: TypeNames): ValueType {
  if (type === 'object') return objectType(schema, path, names)
  if (type !== 'array') return { kind: 'word', word: PLAIN[type] }
  if (schema.items === undefined) return { kind: 'word', word: 'readonly Json[]' }
  return { kind: 'list', items: structuredType(schema.items, `${path}_item`, names) }
}

function objectType(schema: ValueSchema, path: string, names: TypeNames): ValueType {
  const { properties = {}, additionalProperties: more = true } = schema
  if (Object.keys(properties).length === 0 && more !== false) {
    if (more === true) return { kind: 'word', word: 'JsonObject' }
    return { kind: 'map', values: structuredType(more, `${path}_value`, names) }
  }
  const name = names.take(path)
  names.keep(namedObject(schema, name, path, names))
  return { kind: 'named', name }
}

/** Returns the definition of a shared name: an object's members, or another type. */
function namedType(schema: ValueSchema, name: string, path: string, names: TypeNames): NamedType {
  const isObject = [typesNamed(schema) ?? []].flat().join() === 'object' && schema.enum === undefined
  if (isObject && schema.properties !== undefined) return namedObject(schema, name, path, names)
  return { name, comment: commentOf(schema), type: structuredType(schema, path === '' ? 'value' : path, names) }
}

const namedObject = (schema: ValueSchema, name: string, path: string, names: TypeNames): NamedType => ({
  name,
  comment: commentOf(schema),
  properties: propertiesOf(schema, path, names),
  isOpen: schema.additionalProperties !== false,
})

const propertiesOf = (
  { properties = {}, required = [] }: ValueSchema,
  path: string,
  names: TypeNames,
): readonly PropertyPlan[] =>
  Object.entries(properties).map(([name, schema]) => ({
    name,
    type: structuredType(schema, path === '' ? name : `${path}_${name}`, names),
    optional: !required.includes(name),
    nullable: false,
    comment: commentOf(schema),
  }))

const commentOf = ({ description, title }: ValueSchema): readonly string[] => {
  const said = description ?? title
  return said === undefined ? [] : [said]
}

function literalsType(values: readonly Scalar[]): ValueType {
  const literals = values.filter((value) => value !== null)
  const types: readonly ValueType[] = [
    ...(literals.length === 0 ? [] : [{ kind: 'literals', literals } as const]),
    ...(literals.length < values.length ? [NULL] : []),
  ]
  return unionOf(types)
}

/** One type of several, each once; what may be anything is anything. */
function unionOf(types: readonly ValueType[]): ValueType {
  const flat = types.flatMap((type) => (type.kind === 'union' ? type.members : [type]))
  if (flat.some((type) => type.kind === 'word' && type.word === 'Json')) return ANYTHING
  const members = [...new Map(flat.map((type) => [JSON.stringify(type), type])).values()]
  return members.length === 1 ? members[0]! : { kind: 'union', members }
}
