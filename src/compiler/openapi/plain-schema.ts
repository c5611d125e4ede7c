import { RESERVED_KEYS } from '../../protocol/identifiers.js'
import type { Json, JsonObject } from '../../protocol/manifest.js'
import type { SchemaType } from '../../protocol/value-schema.js'
import { patternTrouble } from '../rules/facts/schemas/pattern-trouble.js'
import { cleanText, hides } from './clean-text.js'
import type { FlatSchema } from './flatten.js'
import { carriedFormat, isExact } from './keywords.js'
import { NOTES, type NoteText } from './notes.js'
import { isJsonObject, type ApiPlace } from './references.js'

type Inner = (places: readonly ApiPlace[]) => JsonObject
type Made = { [keyword: string]: Json }

/** A schema without its choices, in the keywords of structured values. */
export function plainSchema(flat: FlatSchema, inner: Inner, lost: NoteText[]): JsonObject {
  const types = flatTypesOf(flat)
  const made: Made = {}
  const { text } = cleanText(String(flat.keywords['description'] ?? ''))
  if (text !== '') made['description'] = text
  if (flat.keywords['deprecated'] === true) made['deprecated'] = true
  if (types.length === 0) return withEnum(made, flat, types, lost)
  made['type'] = types.length === 1 ? types[0]! : types
  for (const [type, add] of PARTS) if (types.some((each) => type.includes(each))) add(made, flat, inner, lost)
  return withEnum(made, flat, types, lost)
}

const TYPES: readonly SchemaType[] = ['string', 'integer', 'number', 'boolean', 'object', 'array']

/** The types that are named, or that the keywords mean. */
export function flatTypesOf({ keywords, properties, required, items, more }: FlatSchema): readonly SchemaType[] {
  const named = ((keywords['type'] ?? []) as readonly Json[]).filter((type) =>
    (TYPES as readonly Json[]).includes(type),
  )
  if (named.length > 0) return [...new Set(named)] as readonly SchemaType[]
  if (properties.size > 0 || required.size > 0 || more.length > 0) return ['object']
  if (items.length > 0) return ['array']
  if (['pattern', 'minLength', 'maxLength'].some((name) => keywords[name] !== undefined)) return ['string']
  if (['minimum', 'maximum', 'multipleOf'].some((name) => keywords[name] !== undefined)) return ['number']
  return [...new Set(((keywords['enum'] ?? []) as readonly Json[]).map((value) => typeof value as SchemaType))]
}

type Part = (made: Made, flat: FlatSchema, inner: Inner, lost: NoteText[]) => void

const addText: Part = (made, { keywords }, _, lost) => {
  addCounts(made, keywords, 'minLength', 'maxLength', lost)
  const format = carriedFormat(keywords['format'], lost)
  if (format !== undefined) made['format'] = format
  const { pattern } = keywords
  if (typeof pattern !== 'string') return
  if (hides(pattern)) lost.push(NOTES.hidden.says('a pattern that hides characters'))
  else if (patternTrouble(pattern) === undefined) made['pattern'] = pattern
  else lost.push(NOTES.pattern.says())
}

const addNumber: Part = (made, { keywords }, _, lost) => {
  const given = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'].filter(
    (name) => typeof keywords[name] === 'number',
  )
  lost.push(...given.filter((name) => !isExact(keywords[name])).map((name) => NOTES.beyond.says(name)))
  const bounds = given.flatMap((name) => (isExact(keywords[name]) ? [[name, keywords[name]] as const] : []))
  const { minimum = -Infinity, exclusiveMinimum = -Infinity, maximum = Infinity, exclusiveMaximum = Infinity } = Object.fromEntries(bounds) // prettier-ignore
  if (Math.max(minimum, exclusiveMinimum) > Math.min(maximum, exclusiveMaximum))
    lost.push(NOTES.bounds.says('bounds that nothing fits'))
  else for (const [name, bound] of bounds) made[name] = bound
  const { multipleOf } = keywords
  if (multipleOf === undefined) return
  if (Number.isSafeInteger(multipleOf) && (multipleOf as number) > 0) made['multipleOf'] = multipleOf
  else lost.push(NOTES.multipleOf.says())
}

const addMembers: Part = (made, flat, inner, lost) => {
  const { keywords, properties, required, more } = flat
  const members = new Map<string, Json>()
  const needed: string[] = []
  for (const [name, places] of properties) {
    if (RESERVED_KEYS.has(name)) lost.push(NOTES.reserved.says(name))
    else if (hides(name)) lost.push(NOTES.hidden.says('a member whose name hides characters'))
    else members.set(name, inner(places))
  }
  for (const name of required) {
    if (RESERVED_KEYS.has(name) || hides(name)) continue
    const isOneWay = (properties.get(name) ?? []).some(({ value }) => isJsonObject(value) && (value['readOnly'] === true || value['writeOnly'] === true)) // prettier-ignore
    if (isOneWay) lost.push(NOTES.oneWay.says(name))
    else needed.push(name)
    if (!members.has(name)) members.set(name, {})
  }
  if (members.size > 0) made['properties'] = tagFirst(Object.fromEntries(members), needed)
  if (needed.length > 0) made['required'] = needed
  if (keywords['additionalProperties'] === false) made['additionalProperties'] = false
  else if (more.length > 0) made['additionalProperties'] = inner(more)
  addCounts(made, keywords, 'minProperties', 'maxProperties', lost)
}

/** The constant by which alternatives differ, before the rest: a reader of the value needs to look no further. */
function tagFirst(members: JsonObject, needed: readonly string[]): JsonObject {
  const tags = needed.filter((name) => 'const' in (members[name] as JsonObject))
  return tags.length === 0 ? members : { ...Object.fromEntries(tags.map((name) => [name, members[name]!])), ...members }
}

const PLAIN = ['string', 'integer', 'number', 'boolean', 'null']

const addItems: Part = (made, { keywords, items }, inner, lost) => {
  const each = items.length === 0 ? undefined : inner(items)
  if (each !== undefined) made['items'] = each
  addCounts(made, keywords, 'minItems', 'maxItems', lost)
  if (keywords['uniqueItems'] !== true) return
  const types = [each?.['type'] ?? []].flat() as readonly Json[]
  if (types.length > 0 && types.every((type) => PLAIN.includes(String(type)))) made['uniqueItems'] = true
  else lost.push(NOTES.unique.says())
}

function addCounts(made: Made, keywords: JsonObject, least: string, most: string, lost: NoteText[]): void {
  const [from, to] = [least, most].map((name) => keywords[name])
  const isCount = (value: Json | undefined): value is number => Number.isSafeInteger(value) && (value as number) >= 0
  if (isCount(from) && isCount(to) && from > to) return void lost.push(NOTES.bounds.says(`${least} above ${most}`))
  if (isCount(from)) made[least] = from
  if (isCount(to)) made[most] = to
}

const PARTS: readonly (readonly [readonly SchemaType[], Part])[] = [
  [['string'], addText],
  [['number', 'integer'], addNumber],
  [['object'], addMembers],
  [['array'], addItems],
]

const FITS: { readonly [type: string]: (value: Json) => boolean } = {
  string: (value) => typeof value === 'string',
  integer: (value) => Number.isSafeInteger(value),
  number: isExact,
  boolean: (value) => typeof value === 'boolean',
}

function withEnum(made: Made, { keywords }: FlatSchema, types: readonly SchemaType[], lost: NoteText[]): JsonObject {
  const values = keywords['enum'] as readonly Json[] | undefined
  if (values === undefined) return made
  const fitting =
    types.length === 0
      ? values.filter((value) => typeof value !== 'number' || isExact(value))
      : values.filter((value) => types.some((type) => Object.hasOwn(FITS, type) && FITS[type]!(value)))
  if (fitting.length < values.length) lost.push(NOTES.enumValues.says())
  if (fitting.length === 0) return made
  return fitting.length === 1 ? { ...made, const: fitting[0]! } : { ...made, enum: fitting }
}
