import { inputName } from './inputs.js'
import type { ApiOperation, ApiDialect } from './operations.js'
import type { JsonObject } from '../../protocol/manifest.js'
import { readAs } from '../../protocol/upstream-requests.js'
import { isJsonObject, memberOf, rawMember, resolved, type Description, type ApiPlace } from './references.js'
import { NOTES, type NoteText } from './notes.js'
import { flattened, type FlatSchema } from './flatten.js'
import { importedAnswerType, withNullIn, type ImportedType } from './schemas.js'
import type { Importing } from './structures.js'

export interface ImportedField {
  readonly name: string
  readonly wire: string
  /** True if the response may lack it, or contain null. */
  readonly mayBeNull: boolean
  readonly flat: ImportedType
}

export type ImportedOutput =
  | { readonly kind: 'members'; readonly fields: readonly ImportedField[]; readonly notes: readonly NoteText[] }
  | { readonly kind: 'items' | 'value'; readonly flat: ImportedType }
  | { readonly kind: 'status'; readonly location: boolean }

/** Successful response of an operation, and the way a caller requests it. */
export interface ImportedAnswer {
  readonly output: ImportedOutput
  /** Status -> media types; none where it is described as empty. */
  readonly answers: { readonly [status: string]: readonly string[] }
  readonly accept: string
}

const MOST_FIELDS = 200

/** The answers that describe success: 2xx, or `default` where nothing else is described. */
function successCodes(responses: ApiPlace | undefined): readonly string[] {
  const statuses = isJsonObject(responses?.value)
    ? Object.keys(responses.value).filter((status) => !status.startsWith('x-'))
    : []
  const success = statuses.filter((status) => /^2(?:\d\d|XX)$/iu.test(status))
  return success.length > 0 || statuses.some((status) => status !== 'default') ? success : statuses
}

/** Statuses whose answers have no body, whatever is described (RFC 9110, 15.3). */
const BODILESS: ReadonlySet<string> = new Set(['204', '205'])

/** The answers in JSON that are described, else the first in another media type. */
export function importedAnswerOf(
  description: Importing,
  dialect: ApiDialect,
  { at, method }: ApiOperation,
): ImportedAnswer {
  const responses = memberOf(description, at, 'responses')
  const produces = producedTypes(description, at)
  const all = successCodes(responses).map((code) => {
    const response = memberOf(description, responses!, code)
    const described = mediaOf(description, dialect, response, produces)
    return {
      code: code.toUpperCase(),
      response,
      described,
      media: method === 'head' || BODILESS.has(code) ? [] : described,
    }
  })
  const answers = Object.fromEntries(all.map(({ code, media }) => [code === 'DEFAULT' ? '2XX' : code, media.map(({ type }) => type)])) // prettier-ignore
  const media = all.flatMap((each) => each.media)
  const json = all.flatMap((each) => each.media.find(({ type }) => readAs(type) === 'json') ?? [])
  const schemas = json.flatMap(({ schema }) => schema ?? [])
  if (schemas.length > 0) {
    const output = shapeOf(description, distinct(description, schemas), all.length === schemas.length)
    return { output, answers, accept: accepted(json) }
  }
  const accept = accepted(media.length === 0 ? all.flatMap(({ described }) => described) : media) || 'application/json'
  if (json.length > 0)
    return { output: { kind: 'value', flat: unstructured('any', '') }, answers, accept: accepted(json) }
  const [first] = media
  if (first !== undefined) return { output: { kind: 'value', flat: textOrBytes(first.type) }, answers, accept }
  const location = all.some(({ response }) => hasLocation(response))
  return { output: { kind: 'status', location }, answers, accept }
}

interface Media {
  readonly type: string
  readonly schema: ApiPlace | undefined
}

/** Of Swagger: what an operation, or else the document, says that it answers with. */
function producedTypes(description: Description, at: ApiPlace): readonly string[] {
  const own = isJsonObject(at.value) ? at.value['produces'] : undefined
  const all = own ?? (description.root.value as JsonObject)['produces']
  const types = (Array.isArray(all) ? all : []).filter((type) => typeof type === 'string')
  return types.length === 0 ? ['application/json'] : types
}

function mediaOf(
  description: Description,
  dialect: ApiDialect,
  response: ApiPlace | undefined,
  produces: readonly string[],
): readonly Media[] {
  if (response === undefined) return []
  if (dialect === 'swagger') {
    const schema = rawMember(response, 'schema')
    return schema === undefined ? [] : produces.map((type) => ({ type, schema }))
  }
  const content = memberOf(description, response, 'content')
  if (content === undefined || !isJsonObject(content.value)) return []
  return Object.keys(content.value).map((type) => {
    const media = memberOf(description, content, type)
    return { type, schema: media === undefined ? undefined : rawMember(media, 'schema') }
  })
}

const accepted = (media: readonly Media[]): string => [...new Set(media.map(({ type }) => type))].slice(0, 5).join(', ')

const hasLocation = (response: ApiPlace | undefined): boolean => {
  const headers = isJsonObject(response?.value) ? response.value['headers'] : undefined
  return isJsonObject(headers) && Object.keys(headers).some((name) => name.toLowerCase() === 'location')
}

const unstructured = (type: string, description: string): ImportedType => ({
  type,
  nullable: false,
  description,
  allowed: [],
  default: undefined,
  schema: undefined,
  notCarried: [],
})

const textOrBytes = (type: string): ImportedType =>
  unstructured(
    'string',
    readAs(type) === 'text' ? `A text of the type ${type}.` : `Bytes of the type ${type}, in base64.`,
  )

function shapeOf(description: Importing, schemas: readonly ApiPlace[], always: boolean): ImportedOutput {
  const shapes = schemas.map((schema) => flattened(description, [schema]))
  const isMembers = shapes.every(({ properties, choices, nullable }) => properties.size > 0 && choices.length === 0 && !nullable) // prettier-ignore
  if (!isMembers) return anyShapeOf(description, oneOfThem(description, schemas))
  const properties = membersOf(description, shapes)
  const required = new Set([...properties.keys()].filter((wire) => shapes.every((shape) => shape.required.has(wire))))
  const fields = new Map<string, ImportedField>()
  const notes: NoteText[] = []
  for (const [wire, places] of properties) {
    const name = inputName(wire)
    if (fields.has(name) || ['constructor', 'prototype'].includes(name))
      notes.push(NOTES.name.says(`output.${wire}: its name is taken`))
    else if (fields.size === MOST_FIELDS) notes.push(NOTES.fields.says(wire))
    else if (flattened(description, places).keywords['writeOnly'] !== true) {
      const own = importedAnswerType(description, places)
      const mayBeNull = !always || !required.has(wire) || own.nullable
      fields.set(name, { name, wire, mayBeNull, flat: mayBeNull ? withNullIn(own) : own })
    }
  }
  if (fields.size === 0) return anyShapeOf(description, oneOfThem(description, schemas))
  return { kind: 'members', fields: [...fields.values()], notes }
}

/** The members of several shapes; each fits where it fits one of them. */
function membersOf(description: Importing, shapes: readonly FlatSchema[]): FlatSchema['properties'] {
  const [first, ...others] = shapes
  if (others.length === 0) return first!.properties
  const names = new Set(shapes.flatMap(({ properties }) => [...properties.keys()]))
  return new Map(
    [...names].map((name) => {
      const each = shapes.flatMap(({ properties }) => {
        const places = properties.get(name)
        return places === undefined ? [] : [all(places)]
      })
      return [name, [oneOfThem(description, each)]]
    }),
  )
}

/** Schemas that hold at once, as one. */
const all = (places: readonly ApiPlace[]): ApiPlace =>
  places.length === 1 ? places[0]! : joined(places, { allOf: places.map(({ value }) => value) })

/** Schemas of which one holds, as one. */
function oneOfThem(description: Description, places: readonly ApiPlace[]): ApiPlace {
  const each = distinct(description, places)
  return each.length === 1 ? each[0]! : joined(each, { anyOf: each.map(({ value }) => value) })
}

/** A schema made of several; any value where references in them start from different documents. */
function joined(places: readonly ApiPlace[], value: JsonObject): ApiPlace {
  const { document, pointer } = places[0]!
  const isOne = places.every((place) => place.document === document)
  return { document, pointer: `${pointer}/${Object.keys(value).join()}`, value: isOne ? value : {} }
}

/** Several answers often have one shape. */
function distinct(description: Description, places: readonly ApiPlace[]): readonly ApiPlace[] {
  const texts = places.map((place) => JSON.stringify(resolved(description, place)?.value))
  return places.filter((_, index) => texts.indexOf(texts[index]!) === index)
}

function anyShapeOf(description: Importing, schema: ApiPlace): ImportedOutput {
  const flat = importedAnswerType(description, [schema])
  if (flat.type === 'array' && !flat.nullable) return { kind: 'items', flat }
  return { kind: 'value', flat: flat.nullable ? withNullIn(flat) : flat }
}
