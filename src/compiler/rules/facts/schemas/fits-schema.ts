import type { Json } from '../../../../protocol/manifest.js'
import {
  publishedSchema,
  referredName,
  SCHEMA_REFERENCE,
  typesNamed,
  type ValueSchema,
  type ValueSchemas,
  type SchemaType,
} from '../../../../protocol/value-schema.js'
import { fitsType } from '../values.js'

type Holds = (value: Json, schema: ValueSchema, shared: ValueSchemas) => boolean

/** Checks a value in the manifest against a validated schema. Generated code checks the values of calls. */
export const fitsSchema = (value: Json, schema: ValueSchema, shared: ValueSchemas): boolean =>
  fits(
    value,
    publishedSchema(schema, (name) => `${SCHEMA_REFERENCE}${name}`),
    shared,
  )

const fits: Holds = (value, schema, shared) => {
  if (schema.$ref !== undefined) return fitsSchema(value, shared[referredName(schema.$ref)]!, shared)
  return keywordsAgainst(value, schema, shared).next().done === true
}

/** The keywords of a schema that a value does not fit; of what a reference leads to, those of its schema are asked. */
export function* keywordsAgainst(value: Json, schema: ValueSchema, shared: ValueSchemas): Generator<string> {
  for (const keyword of Object.keys(schema)) if (CHECKS[keyword]?.(value, schema, shared) === false) yield keyword
}

const isObject = (value: Json): value is { readonly [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const TYPES: { readonly [type in SchemaType]: (value: Json) => boolean } = {
  string: (value) => typeof value === 'string',
  integer: (value) => Number.isInteger(value),
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  object: isObject,
  array: Array.isArray,
  null: (value) => value === null,
}

const ofNumber =
  (keyword: string, holds: (value: number, bound: number) => boolean): Holds =>
  (value, schema) =>
    typeof value !== 'number' || holds(value, schema[keyword] as number)

/** A bound of how many characters, items or members a value has. */
const ofSize =
  (keyword: string, sizeOf: (value: Json) => number | undefined, holds: (size: number, bound: number) => boolean): Holds =>
  (value, schema) => {
    const size = sizeOf(value)
    return size === undefined || holds(size, schema[keyword] as number)
  }

const characters = (value: Json) => (typeof value === 'string' ? [...value].length : undefined)
const items = (value: Json) => (Array.isArray(value) ? value.length : undefined)
const members = (value: Json) => (isObject(value) ? Object.keys(value).length : undefined)
const least = (one: number, bound: number): boolean => one >= bound
const most = (one: number, bound: number): boolean => one <= bound

/** The type word of a format. */
const wordOfFormat = (format: string): string => (format === 'date-time' ? 'datetime' : format)

const membersFit: Holds = (value, { properties = {}, additionalProperties: more = true }, shared) =>
  !isObject(value) ||
  Object.entries(value).every(([name, member]) => {
    if (Object.hasOwn(properties, name)) return fits(member, properties[name]!, shared)
    return typeof more === 'boolean' ? more : fits(member, more, shared)
  })

const CHECKS: { readonly [keyword: string]: Holds } = {
  type: (value, schema) => typesNamed(schema)!.some((type) => TYPES[type](value)),
  enum: (value, schema) => schema.enum!.some((each) => each === value),
  const: (value, schema) => schema.const === value,
  minimum: ofNumber('minimum', least),
  maximum: ofNumber('maximum', most),
  exclusiveMinimum: ofNumber('exclusiveMinimum', (value, bound) => value > bound),
  exclusiveMaximum: ofNumber('exclusiveMaximum', (value, bound) => value < bound),
  multipleOf: ofNumber('multipleOf', (value, step) => Number.isInteger(value / step)),
  minLength: ofSize('minLength', characters, least),
  maxLength: ofSize('maxLength', characters, most),
  minItems: ofSize('minItems', items, least),
  maxItems: ofSize('maxItems', items, most),
  minProperties: ofSize('minProperties', members, least),
  maxProperties: ofSize('maxProperties', members, most),
  // A judged pattern takes no time that explodes, and what stands in a manifest is short.
  pattern: (value, schema) => typeof value !== 'string' || new RegExp(schema['pattern'] as string, 'u').test(value),
  format: (value, { format }) => typeof value !== 'string' || fitsType(value, wordOfFormat(format!)),
  required: (value, { required }) => !isObject(value) || required!.every((name) => Object.hasOwn(value, name)),
  properties: membersFit,
  additionalProperties: membersFit,
  items: (value, schema, shared) => !Array.isArray(value) || value.every((each) => fits(each as Json, schema.items!, shared)),
  uniqueItems: (value, schema) =>
    schema['uniqueItems'] !== true || !Array.isArray(value) || new Set(value).size === value.length,
  anyOf: (value, schema, shared) => schema.anyOf!.some((each) => fits(value, each, shared)),
  oneOf: (value, schema, shared) => schema.oneOf!.filter((each) => fits(value, each, shared)).length === 1,
} // prettier-ignore
