import type { Json, JsonObject } from '../../protocol/manifest.js'
import {
  isJsonObject,
  listItemsOf,
  memberOf,
  noteFault,
  resolved,
  textAt,
  type Description,
  type ApiPlace,
} from './references.js'

/** What the flat types of a manifest can say of a schema, and which keywords they cannot. */
export interface FlatType {
  readonly type: string
  readonly nullable: boolean
  readonly description: string
  readonly allowed: readonly (string | number | boolean)[]
  readonly default: Json | undefined
  readonly notCarried: readonly string[]
}

const FORMATS: { readonly [format: string]: string } = {
  date: 'date', 'date-time': 'datetime', duration: 'duration', uri: 'uri', url: 'uri', email: 'email', uuid: 'uuid',
} // prettier-ignore

/** Keywords that the flat types express, or that say nothing of values. */
const CARRIED = new Set([
  'type', 'format', 'nullable', 'enum', 'const', 'default', 'description', 'title', 'example', 'examples', 'deprecated', 'readOnly', 'writeOnly', 'xml',
  'externalDocs', '$schema', '$id', '$comment', 'allOf', 'oneOf', 'anyOf', 'required',
]) // prettier-ignore

/** A schema with what `allOf` adds to it. */
export interface Merged {
  readonly keywords: JsonObject
  readonly properties: ReadonlyMap<string, ApiPlace>
  readonly required: ReadonlySet<string>
}

const DEEPEST = 16

/** All that a schema demands by itself and by `allOf`; a circle of these is a finding. */
export function merged(description: Description, schema: ApiPlace, seen: readonly ApiPlace[] = []): Merged {
  const at = resolved(description, schema)
  const value = at?.value
  if (at === undefined || !isJsonObject(value)) return NOTHING
  if (seen.length > DEEPEST || seen.some((each) => each.value === value))
    return noteFault(description, schema, '`allOf` leads back to the schema that it is in.') ?? NOTHING
  const parts = listItemsOf(description, memberOf(description, at, 'allOf')).map((part) => merged(description, part, [...seen, at]))
  const own = propertiesOf(at)
  const required = Array.isArray(value['required']) ? value['required'].filter((name) => typeof name === 'string') : []
  return {
    keywords: Object.assign({}, ...parts.map(({ keywords }) => keywords), value) as JsonObject,
    properties: new Map([...parts.flatMap(({ properties }) => [...properties]), ...own]),
    required: new Set([...parts.flatMap((part) => [...part.required]), ...required]),
  }
} // prettier-ignore

const NOTHING: Merged = { keywords: {}, properties: new Map(), required: new Set() }

function propertiesOf(at: ApiPlace): readonly (readonly [string, ApiPlace])[] {
  const properties = isJsonObject(at.value) ? at.value['properties'] : undefined
  if (!isJsonObject(properties)) return []
  return Object.entries(properties).map(([name, value]) => {
    const step = name.replaceAll('~', '~0').replaceAll('/', '~1')
    return [name, { document: at.document, pointer: `${at.pointer}/properties/${step}`, value }]
  })
}

/** The flat type of a schema. */
export function flatTypeOf(description: Description, schema: ApiPlace): FlatType {
  const { keywords, properties } = merged(description, schema)
  const own = typesOf(keywords)
  const branches = ['oneOf', 'anyOf'].flatMap((word) => listItemsOf(description, memberOf(description, { ...schema, value: keywords }, word)))
  const unions = branches.map((branch) => merged(description, branch).keywords)
  const types = new Set([...own, ...(own.length === 0 ? unions.flatMap(typesOf) : [])])
  const nullable = types.delete('null') || keywords['nullable'] === true || unions.some(({ nullable }) => nullable === true)
  if (types.size === 0 && properties.size > 0) types.add('object')
  const enumerated = enumOf(keywords) ?? oneEnum(unions)
  const word = wordOf(types, keywords)
  const allowed = enumerated?.filter((value) => fitsType(value, word)) ?? []
  const lost = Object.keys(keywords).filter((name) => !CARRIED.has(name) && !name.startsWith('x-'))
  const union = types.size > 1 ? [`a union of ${[...types].join(', ')} (taken as ${word})`] : []
  const dropped = enumerated !== undefined && allowed.length < enumerated.filter((value) => value !== null).length ? ['enum'] : []
  return {
    type: word,
    nullable,
    description: textAt(keywords, 'description') ?? textAt(keywords, 'title') ?? '',
    allowed: allowed.length > MOST_ALLOWED ? [] : allowed,
    default: keywords['default'],
    notCarried: [...lost, ...union, ...dropped, ...(allowed.length > MOST_ALLOWED ? ['enum'] : [])],
  }
} // prettier-ignore

const MOST_ALLOWED = 50
const TYPES = ['string', 'integer', 'number', 'boolean', 'object', 'array', 'null']

const typesOf = (keywords: JsonObject): readonly string[] => {
  const { type } = keywords
  const given = Array.isArray(type) ? type : type === undefined ? [] : [type]
  return given.filter((each): each is string => typeof each === 'string' && TYPES.includes(each))
}

/** Text takes whatever a union may be, but for structures, which are passed on as they are. */
function wordOf(types: ReadonlySet<string>, keywords: JsonObject): string {
  const [only] = types
  if (types.size === 1 && only === 'string') return FORMATS[textAt(keywords, 'format') ?? ''] ?? 'string'
  if (types.size === 1) return only!
  if (types.size === 2 && types.has('integer') && types.has('number')) return 'number'
  if (types.has('string') || types.size === 0) return 'string'
  return only!
}

const enumOf = (keywords: JsonObject): readonly Json[] | undefined => {
  if (Array.isArray(keywords['enum'])) return keywords['enum'] as readonly Json[]
  return keywords['const'] === undefined ? undefined : [keywords['const']]
}

/** A union of constants is an enum. */
function oneEnum(unions: readonly JsonObject[]): readonly Json[] | undefined {
  const lists = unions.map(enumOf)
  return lists.length === 0 || lists.includes(undefined) ? undefined : lists.flatMap((list) => list ?? [])
}

function fitsType(value: Json, word: string): value is string | number | boolean {
  if (word === 'string') return typeof value === 'string' && value !== ''
  if (word === 'integer') return Number.isSafeInteger(value)
  return typeof value === word && typeof value !== 'object'
}
