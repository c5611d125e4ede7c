import { inputName } from './inputs.js'
import type { ApiOperation, ApiDialect } from './operations.js'
import type { JsonObject } from '../../protocol/manifest.js'
import { readAs } from '../../protocol/upstream-requests.js'
import { isJsonObject, memberOf, rawMember, type Description, type ApiPlace } from './references.js'
import { NOTES, type NoteText } from './notes.js'
import { flattened } from './flatten.js'
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

/** The first answer in JSON that is described, else the first in another media type. */
export function importedAnswerOf(description: Importing, dialect: ApiDialect, { at }: ApiOperation): ImportedAnswer {
  const responses = memberOf(description, at, 'responses')
  const produces = producedTypes(description, at)
  const all = successCodes(responses).map((code) => {
    const response = memberOf(description, responses!, code)
    return { code: code.toUpperCase(), response, media: mediaOf(description, dialect, response, produces) }
  })
  const answers = Object.fromEntries(all.map(({ code, media }) => [code === 'DEFAULT' ? '2XX' : code, media.map(({ type }) => type)])) // prettier-ignore
  const media = all.flatMap((each) => each.media)
  const json = all.flatMap((each) => each.media.find(({ type }) => readAs(type) === 'json') ?? [])
  const schemas = json.flatMap(({ schema }) => schema ?? [])
  if (schemas.length > 0) {
    const output = shapeOf(description, schemas[0]!, all.length === schemas.length)
    return { output, answers, accept: accepted(json) }
  }
  const accept = media.length === 0 ? 'application/json' : accepted(media)
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

function shapeOf(description: Importing, schema: ApiPlace, always: boolean): ImportedOutput {
  const { properties, required, choices } = flattened(description, [schema])
  if (properties.size === 0 || choices.length > 0) return anyShapeOf(description, schema)
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
  if (fields.size === 0) return anyShapeOf(description, schema)
  return { kind: 'members', fields: [...fields.values()], notes }
}

function anyShapeOf(description: Importing, schema: ApiPlace): ImportedOutput {
  const flat = importedAnswerType(description, [schema])
  if (flat.type === 'array' && !flat.nullable) return { kind: 'items', flat }
  return { kind: 'value', flat: flat.nullable ? withNullIn(flat) : flat }
}
