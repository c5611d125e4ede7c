import type { JsonObject } from '../../../../protocol/manifest.js'
import { RESERVED_KEYS } from '../../../../protocol/identifiers.js'
import {
  referredName,
  SCHEMA_REFERENCE,
  VALUE_FORMATS,
  VALUE_TYPES,
  type SchemaType,
} from '../../../../protocol/value-schema.js'
import { meant, nearest, question } from '../../../nearest.js'
import type { MapNode, ScalarNode, ScalarValue, YamlNode } from '../../../parse/tree.js'
import { patternTrouble } from './pattern-trouble.js'
import type { SchemaReading } from './trouble.js'

type Read = (node: YamlNode, name: string, reading: SchemaReading) => void

export interface Keyword {
  /** The types whose values it bounds; all, when absent. */
  readonly bounds?: readonly SchemaType[]
  /** Accepted value for messages, to complete "`minimum` takes". */
  readonly takes: string
  /** The same as JSON Schema (draft 7), as far as that can say it. */
  readonly schema: JsonObject
  readonly read: Read
}

/** A keyword that takes scalars of one kind. */
const scalar = (
  takes: string,
  schema: JsonObject,
  holds: (value: ScalarValue) => boolean,
  bounds?: readonly SchemaType[],
): Keyword => ({
  takes,
  schema,
  ...(bounds === undefined ? {} : { bounds }),
  read: (node, name, { report }) => {
    if (node.kind !== 'scalar' || !holds(node.value)) report('value', node, `\`${name}\` takes ${takes}.`)
  },
})

const isText = (value: ScalarValue): value is string => typeof value === 'string'
const isCount = (value: ScalarValue): boolean => Number.isSafeInteger(value) && (value as number) >= 0
const isNumber = (value: ScalarValue): boolean => Number.isFinite(value)

const SCALAR: JsonObject = { type: ['string', 'number', 'boolean', 'null'] }
const FLAG: JsonObject = { type: 'boolean' }
const NAMES: JsonObject = { type: 'array', items: { type: 'string' }, uniqueItems: true }
/** A schema within a schema. */
export const INNER_SCHEMA: JsonObject = { $ref: '#/definitions/value_schema' }
const CHOICES: JsonObject = { type: 'array', items: INNER_SCHEMA, minItems: 1 }
const TYPE_NAME: JsonObject = { enum: [...VALUE_TYPES] }
const TYPES: JsonObject = {
  anyOf: [TYPE_NAME, { type: 'array', items: { type: 'string', ...TYPE_NAME }, minItems: 1, uniqueItems: true }],
}
const MEMBERS: JsonObject = {
  type: 'object',
  propertyNames: { not: { enum: [...RESERVED_KEYS] } },
  additionalProperties: INNER_SCHEMA,
}

const text = scalar('a text', { type: 'string' }, isText)
const countOf = (type: SchemaType): Keyword => scalar('a whole number from 0', { type: 'integer', minimum: 0 }, isCount, [type])
const boundOf: Keyword = scalar('a number', { type: 'number' }, isNumber, ['number', 'integer'])

function wordsIn(node: YamlNode): readonly ScalarNode[] | undefined {
  if (node.kind === 'scalar') return [node]
  if (node.kind === 'map' || node.items.length === 0) return undefined
  return node.items.every((item) => item.kind === 'scalar') ? (node.items as readonly ScalarNode[]) : undefined
}

const readType: Read = (node, name, { report, names }) => {
  const words = wordsIn(node)
  if (words === undefined) return report('value', node, `\`${name}\` takes a type, or a list of types.`)
  for (const [index, word] of words.entries()) {
    if (words.findIndex(({ value }) => value === word.value) < index)
      report('value', word, `The type \`${word.value}\` is listed twice; remove one.`)
    if ((VALUE_TYPES as readonly unknown[]).includes(word.value)) continue
    const shared = sharedName(word.value, names)
    const missing = `\`${word.value}\` is no type; there are ${VALUE_TYPES.join(', ')}.`
    const instead = `\`${word.value}\` is no type. Write \`{ $ref: '${SCHEMA_REFERENCE}${shared}' }\` for the schema.`
    if (shared !== undefined) {
      report('value', word, instead)
      continue
    }
    const near = nearType(word.value)
    const rest = near === undefined ? insteadOf(word.value) : question(near)
    report('value', word, `${missing}${rest}`, meant(near))
  }
}

/** The shared schema whose name stands where a type does, in the capitals of either. */
function sharedName(word: ScalarNode['value'], names: ReadonlySet<string>): string | undefined {
  const written = String(word).toLowerCase()
  return [...names].find((name) => name.toLowerCase() === written)
}

/** Words of other languages for the types of JSON. */
const TYPES_ELSEWHERE: ReadonlyMap<string, SchemaType> = new Map([
  ['int', 'integer'], ['long', 'integer'], ['float', 'number'], ['double', 'number'], ['decimal', 'number'],
  ['bool', 'boolean'], ['str', 'string'], ['text', 'string'], ['list', 'array'], ['map', 'object'], ['dict', 'object'],
  ['record', 'object'],
]) // prettier-ignore

function nearType(word: ScalarNode['value']): SchemaType | undefined {
  if (word === null || formatOf(word) !== undefined || itemsOf(word) !== undefined) return undefined
  const known = TYPES_ELSEWHERE.get(String(word).toLowerCase())
  return known ?? (nearest(String(word), VALUE_TYPES) as SchemaType | undefined)
}

const formatOf = (word: NonNullable<ScalarNode['value']>) =>
  VALUE_FORMATS.find((each) => each.replace('-', '') === String(word).replace('-', ''))

/** `string[]` is a list of texts in TypeScript, and no word of JSON Schema. */
const itemsOf = (word: ScalarNode['value']) => /^([A-Za-z]\w*)\[\]$/u.exec(String(word))?.[1]

/** Suggests a meaning for a word that is no type: types of inputs are formats of texts here. */
function insteadOf(word: ScalarNode['value']): string {
  if (word === null) return " Write 'null' with quotes."
  const items = itemsOf(word)
  if (items !== undefined) return ` Write \`type: array\` with \`items: { type: ${nearType(items) ?? items} }\`.`
  const format = formatOf(word)
  return format === undefined ? '' : ` Write \`type: string\` with \`format: ${format}\`.`
}

const readEnum: Read = (node, name, { report }) => {
  const words = node.kind === 'list' ? wordsIn(node) : undefined
  if (words === undefined) return report('value', node, `\`${name}\` takes a list of texts, numbers, booleans or null.`)
  const seen = new Set<ScalarValue>()
  for (const word of words) {
    if (seen.has(word.value)) report('value', word, `${JSON.stringify(word.value)} is listed twice; remove one.`)
    seen.add(word.value)
  }
}

const readPattern: Read = (node, name, { report }) => {
  if (node.kind !== 'scalar' || !isText(node.value)) return report('value', node, `\`${name}\` takes a regular expression.`)
  const trouble = patternTrouble(node.value)
  if (trouble !== undefined) report('pattern', node, trouble)
}

const TAKEN = `\`$ref\` takes \`${SCHEMA_REFERENCE}<name>\`.`
const COMMENTED = `${TAKEN} A \`#\` after a space begins a comment: write \`'${SCHEMA_REFERENCE}<name>'\`, in quotes.`

const readReference: Read = (node, _, { report, names }) => {
  const value = node.kind === 'scalar' ? node.value : undefined
  if (!isText(value ?? null)) return report('reference', node, value === null ? COMMENTED : TAKEN)
  const target = value as string
  if (!target.startsWith(SCHEMA_REFERENCE)) return leadsOut(node, target, names, report)
  const wanted = referredName(target)
  if (names.has(wanted)) return
  const near = nearest(wanted, names)
  const details = meant(near && `${SCHEMA_REFERENCE}${near}`)
  report('reference', node, `There is no \`${wanted}\` under \`x-schemas\`.${question(near)}`, details)
}

/** A reference that is spelt as elsewhere: the bare name, or under `$defs` or `components`. */
function leadsOut(node: YamlNode, target: string, names: ReadonlySet<string>, report: SchemaReading['report']): void {
  const last = target.replace(/^#\/(?:\$defs|definitions|components\/schemas|x-schema)\//u, '')
  const shared = names.has(last) ? `${SCHEMA_REFERENCE}${last}` : undefined
  const remedy =
    shared === undefined
      ? `leads to no schema. Put it under \`x-schemas\` and write \`${SCHEMA_REFERENCE}<name>\`, or into a file and write its path, such as \`./order.yaml\`.`
      : `is no reference to a shared schema. Did you mean \`${shared}\`?`
  report('reference', node, `\`${target}\` ${remedy}`, meant(shared))
}

const readProperties: Read = (node, name, { report, inner }) => {
  if (node.kind !== 'map') return report('value', node, `\`${name}\` takes a map of names and schemas.`)
  for (const [index, key] of node.keys.entries()) {
    if (RESERVED_KEYS.has(key.value as string))
      report('value', key, `\`${key.value}\` is a name that every object has; take another.`)
    inner(node.values[index]!)
  }
}

const readRequired: Read = (node, name, { report }) => {
  const words = node.kind === 'list' && node.items.length > 0 ? wordsIn(node) : []
  if (node.kind !== 'list' || words === undefined || !words.every(({ value }) => isText(value)))
    return report('value', node, `\`${name}\` takes a list of names, and stands beside their \`properties\`.`)
  for (const [index, word] of words.entries())
    if (words.findIndex(({ value }) => value === word.value) < index)
      report('value', word, `\`${word.value}\` is listed twice; remove one.`)
}

const readMore: Read = (node, _, { inner }) => {
  if (node.kind !== 'scalar' || typeof node.value !== 'boolean') inner(node)
}

const readChoices: Read = (node, name, { report, inner }) => {
  if (node.kind !== 'list' || node.items.length === 0)
    return report('value', node, `\`${name}\` takes a list of schemas.`)
  node.items.forEach(inner)
}

const anything: Read = () => undefined

/**
 * The keywords that a schema may have. Whatever is not here is refused, so that every target means the same (decisions,
 * section 12).
 */
export const KEYWORDS: ReadonlyMap<string, Keyword> = new Map<string, Keyword>([
  ['type', { takes: 'a type, or a list of types', schema: TYPES, read: readType }],
  ['title', text],
  ['description', text],
  ['$comment', text],
  ['examples', { takes: 'a list of values', schema: {}, read: anything }],
  ['deprecated', scalar('true or false', FLAG, (value) => typeof value === 'boolean')],
  ['enum', { takes: 'a list of values', schema: { type: 'array', items: SCALAR, minItems: 1, uniqueItems: true }, read: readEnum }],
  ['const', scalar('a text, a number, a boolean or null', SCALAR, () => true)],
  ['minimum', boundOf],
  ['maximum', boundOf],
  ['exclusiveMinimum', boundOf],
  ['exclusiveMaximum', boundOf],
  ['multipleOf', scalar('a whole number from 1', { type: 'integer', minimum: 1 }, (value) => isCount(value) && value !== 0, ['number', 'integer'])],
  ['minLength', countOf('string')],
  ['maxLength', countOf('string')],
  ['pattern', { takes: 'a regular expression', schema: { type: 'string' }, bounds: ['string'], read: readPattern }],
  ['format', scalar(`one of ${VALUE_FORMATS.join(', ')}`, { enum: [...VALUE_FORMATS] }, (value) => (VALUE_FORMATS as readonly unknown[]).includes(value), ['string'])],
  ['properties', { takes: 'names and schemas', schema: MEMBERS, bounds: ['object'], read: readProperties }],
  ['required', { takes: 'names of `properties`', schema: NAMES, bounds: ['object'], read: readRequired }],
  ['additionalProperties', { takes: 'true, false or a schema', schema: { anyOf: [FLAG, INNER_SCHEMA] }, bounds: ['object'], read: readMore }],
  ['minProperties', countOf('object')],
  ['maxProperties', countOf('object')],
  ['items', { takes: 'a schema', schema: INNER_SCHEMA, bounds: ['array'], read: (node, _, { inner }) => inner(node) }],
  ['minItems', countOf('array')],
  ['maxItems', countOf('array')],
  ['uniqueItems', scalar('true or false', FLAG, (value) => typeof value === 'boolean', ['array'])],
  ['anyOf', { takes: 'a list of schemas', schema: CHOICES, read: readChoices }],
  ['oneOf', { takes: 'a list of schemas', schema: CHOICES, read: readChoices }],
  ['$ref', { takes: 'a reference', schema: { type: 'string' }, read: readReference }],
]) // prettier-ignore

/** Keywords of other dialects and versions -> what to write instead. */
export const INSTEAD: ReadonlyMap<string, string> = new Map([
  ['nullable', "Write `type: [string, 'null']`."],
  ['$defs', 'Put these schemas under `x-schemas` of the manifest.'],
  ['definitions', 'Put these schemas under `x-schemas` of the manifest.'],
  ['allOf', 'Write the keywords of its schemas into one.'],
  ['default', 'A default is a member of the input, beside `x-schema`; within a schema there is none: let the handler fill it in.'],
  ['prefixItems', 'Write an object, whose members have names.'],
  ['patternProperties', 'Write `additionalProperties` with a schema.'],
  ['$schema', 'It is JSON Schema 2020-12.'],
  ['example', 'Write `examples` with a list.'],
  ['min', 'Write `minimum` for numbers, `minLength` for texts, `minItems` for lists.'],
  ['max', 'Write `maximum` for numbers, `maxLength` for texts, `maxItems` for lists.'],
  ['optional', 'Leave its name out of `required`, which stands beside `properties`.'],
  ['allowed_values', 'Write `enum`.'],
  ['discriminator', 'Write `anyOf` of schemas that differ in a property with `const`.'],
])

/** A map, and not one that a finding covers. */
export const isReadableMap = (node: YamlNode): node is MapNode => node.kind === 'map'
