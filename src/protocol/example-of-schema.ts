/** An example of a value that fits a schema, for documents. */
import type { Json, JsonObject } from './manifest.js'
import {
  referredName,
  typesNamed,
  type SchemaType,
  type ValueFormat,
  type ValueSchema,
  type ValueSchemas,
} from './value-schema.js'

/** Schemas inside schemas that an example follows; what is further is left out. */
const DEEPEST = 8

const OF_FORMAT: { readonly [format in ValueFormat]: string } = {
  date: '2030-05-01',
  'date-time': '2030-05-01T09:30:00Z',
  duration: 'PT15M',
  uri: 'https://example.com/',
  email: 'ana@example.com',
  uuid: '6f2c1a52-9f0b-4c1e-8f5d-2a7f0f0a9b3c',
}

type Make = (schema: ValueSchema, shared: ValueSchemas, depth: number) => Json | undefined

/** The author's first example; else the least that the schema asks for. Undefined where none is found: of a pattern. */
export const exampleOfSchema: Make = (schema, shared, depth) => {
  if (depth > DEEPEST) return undefined
  const [own] = (schema['examples'] ?? []) as readonly Json[]
  if (own !== undefined) return own
  if (schema.$ref !== undefined) return exampleOfSchema(shared[referredName(schema.$ref)]!, shared, depth + 1)
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  for (const choice of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) {
    const made = exampleOfSchema(choice, shared, depth + 1)
    if (made !== undefined) return made
  }
  const [type] = typesNamed(schema) ?? []
  return type === undefined ? undefined : OF_TYPE[type](schema, shared, depth)
}

const textOf: Make = ({ format, ...schema }) => {
  if (schema['pattern'] !== undefined) return undefined
  if (format !== undefined) return OF_FORMAT[format]
  const least = (schema['minLength'] as number | undefined) ?? 0
  const most = (schema['maxLength'] as number | undefined) ?? Infinity
  return 'text'.padEnd(Math.min(least, 1000), 't').slice(0, most)
}

const numberOf: Make = (schema) => {
  const bound = (keyword: string): number | undefined => schema[keyword] as number | undefined
  const above = bound('exclusiveMinimum')
  const below = bound('exclusiveMaximum')
  const step = bound('multipleOf') ?? 1
  const least = bound('minimum') ?? (above === undefined ? undefined : above + step)
  const most = bound('maximum') ?? (below === undefined ? undefined : below - step)
  const start = least ?? Math.min(step, most ?? step)
  return Math.ceil(start / step) * step
}

const listOf: Make = ({ items, ...schema }, shared, depth) => {
  const least = (schema['minItems'] as number | undefined) ?? 0
  const made = items === undefined ? 'text' : exampleOfSchema(items, shared, depth + 1)
  if (made === undefined) return least === 0 ? [] : undefined
  if (schema['maxItems'] === 0) return []
  return least > 100 ? undefined : Array.from({ length: Math.max(1, least) }, () => made)
}

const objectOf: Make = ({ properties = {}, required = [], ...schema }, shared, depth) => {
  const least = (schema['minProperties'] as number | undefined) ?? 0
  const wanted = [...new Set([...required, ...Object.keys(properties)])].slice(0, Math.max(required.length, least))
  const members: { [name: string]: Json } = {}
  for (const name of wanted) {
    const made = exampleOfSchema(properties[name]!, shared, depth + 1)
    if (made === undefined) return undefined
    members[name] = made
  }
  return members satisfies JsonObject
}

const OF_TYPE: { readonly [type in SchemaType]: Make } = {
  string: textOf,
  integer: numberOf,
  number: numberOf,
  boolean: () => true,
  object: objectOf,
  array: listOf,
  null: () => null,
}
