import type { Json, JsonObject } from '../../protocol/manifest.js'
import { typesOfWord, type SchemaType } from '../../protocol/value-schema.js'
import { cleanText } from './clean-text.js'
import { flattened, type FlatSchema } from './flatten.js'
import type { NoteText } from './notes.js'
import { isExact } from './keywords.js'
import { flatTypesOf } from './plain-schema.js'
import type { ApiPlace } from './references.js'
import { flatFor, orNull, presentSchema, type Importing } from './structures.js'

/** Type of a field's values in a manifest. */
export interface ImportedType {
  readonly type: string
  readonly nullable: boolean
  readonly description: string
  readonly allowed: readonly (string | number | boolean)[]
  readonly default: Json | undefined
  /** Its `x-schema`: what the type and the allowed values do not say. */
  readonly schema: JsonObject | undefined
  readonly notCarried: readonly NoteText[]
}

const FORMATS: { readonly [format: string]: string } = {
  date: 'date', 'date-time': 'datetime', duration: 'duration', uri: 'uri', url: 'uri', email: 'email', uuid: 'uuid',
} // prettier-ignore

const wordOfFormat = (format: Json = ''): string | undefined =>
  Object.hasOwn(FORMATS, String(format)) ? FORMATS[String(format)] : undefined

const MOST_ALLOWED = 50

/** The type of an input. `otherwise` is that of a schema that names none. */
export const importedInputType = (importing: Importing, places: readonly ApiPlace[], otherwise = 'any'): ImportedType =>
  typeOf(importing, places, otherwise, allowedOf)

/** The type of a part of a body in JSON, where null is a value: `any`, and a schema that says the rest. */
export function importedBodyType(importing: Importing, places: readonly ApiPlace[]): ImportedType {
  const imported = importedInputType(importing, places)
  if (!imported.nullable) return imported
  const schema = orNull(presentSchema(importing, places, []).schema)
  return {
    ...imported,
    type: 'any',
    nullable: false,
    allowed: [],
    schema: Object.keys(schema).length === 0 ? undefined : schema,
  }
}

/** The type of a field of an answer, which has no `allowed_values`: what an enum says stands in its schema. */
export const importedAnswerType = (importing: Importing, places: readonly ApiPlace[]): ImportedType =>
  typeOf({ ...importing, direction: 'answer' }, places, 'any', () => [])

/** Returns the type of a field that may be null: where that is `any`, its schema takes null, too. */
export const withNullIn = (flat: ImportedType): ImportedType =>
  flat.type === 'any' && flat.schema !== undefined ? { ...flat, schema: orNull(flat.schema) } : flat

function typeOf(
  importing: Importing,
  places: readonly ApiPlace[],
  otherwise: string,
  closedBy: typeof allowedOf,
): ImportedType {
  const notCarried: NoteText[] = []
  const flat = flatFor(importing, places)
  const { schema } = presentSchema(importing, places, notCarried)
  const type = wordOf(typesIn(importing, flat), flat, otherwise)
  const allowed = closedBy(importing, flat, type)
  const given = flat.keywords['default']
  return {
    type,
    nullable: flat.nullable,
    description: cleanText(typeof flat.keywords['description'] === 'string' ? flat.keywords['description'] : flat.title)
      .text,
    allowed,
    default: given,
    schema: whatIsLeft(schema, type, allowed.length > 0),
    notCarried,
  }
}

/** The types of a schema, or of its alternatives. */
function typesIn(importing: Importing, flat: FlatSchema): readonly SchemaType[] {
  const own = flatTypesOf(flat)
  if (own.length > 0) return own
  const all = flat.choices.flatMap(({ branches }) =>
    branches.map((branch) => flatTypesOf(flatFor(importing, [branch]))),
  )
  return all.some((types) => types.length === 0) ? [] : [...new Set(all.flat())]
}

function wordOf(types: readonly SchemaType[], { keywords, choices }: FlatSchema, otherwise: string): string {
  const [only, ...others] = types
  if (only === undefined) return choices.length > 0 ? 'any' : otherwise
  if (others.length === 0) return only === 'string' ? (wordOfFormat(keywords['format']) ?? only) : only
  return types.every((type) => type === 'integer' || type === 'number') ? 'number' : 'any'
}

/** The closed set of values: an `enum`, or alternatives that are constants. */
function allowedOf(importing: Importing, flat: FlatSchema, word: string): ImportedType['allowed'] {
  const [choice, ...others] = flat.choices
  const each = choice?.branches.map((branch) => flattened(importing, [branch]).keywords['enum'])
  const united = others.length === 0 && each?.every((list) => list !== undefined) === true ? each.flat() : undefined
  const values = (flat.keywords['enum'] ?? united ?? []) as readonly Json[]
  const isClosed = values.length <= MOST_ALLOWED && values.every((value) => fitsWord(value, word))
  return isClosed ? ([...new Set(values)] as ImportedType['allowed']) : []
}

function fitsWord(value: Json, word: string): boolean {
  if (word === 'string') return typeof value === 'string' && value.trim() !== ''
  if (typeof value === 'number' && !isExact(value)) return false
  return word === 'integer' ? Number.isSafeInteger(value) : typeof value === word && typeof value !== 'object'
}

/** The schema without what its field says already; undefined where that is all. */
function whatIsLeft(schema: JsonObject, word: string, isClosed: boolean): JsonObject | undefined {
  const { description: _, deprecated: _too, type, format, enum: values, const: only, anyOf, oneOf, ...rest } = schema
  const left: { [keyword: string]: Json } = {
    ...(type === undefined || (word !== 'any' && type === typesOfWord(word)[0]) ? {} : { type }),
    ...(format === undefined || wordOfFormat(format) === word ? {} : { format }),
    ...(values === undefined || isClosed ? {} : { enum: values }),
    ...(only === undefined || isClosed ? {} : { const: only }),
    ...(anyOf === undefined || isClosed ? {} : { anyOf }),
    ...(oneOf === undefined || isClosed ? {} : { oneOf }),
    ...rest,
  }
  const isAll =
    Object.keys(left).length === 0 || (Object.keys(left).length === 1 && word === 'number' && 'type' in left)
  return isAll ? undefined : left
}
