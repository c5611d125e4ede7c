import type { Json, JsonObject } from '../../protocol/manifest.js'
import type { ApiOperation, ApiDialect } from './operations.js'
import { snakeCase } from './operations.js'
import {
  isJsonObject,
  listItemsOf,
  memberOf,
  noteFault,
  rawMember,
  resolved,
  textAt,
  type Description,
  type ApiPlace,
} from './references.js'
import { flattened } from './flatten.js'
import { importedInputType, type ImportedType } from './schemas.js'
import type { Importing } from './structures.js'

/** An input of a capability, and where its value goes. */
export interface ImportedInput {
  readonly name: string
  readonly required: boolean
  readonly flat: ImportedType
  readonly in: 'path' | 'query' | 'header' | 'body' | 'whole-body'
  readonly wire: string
  readonly joined: boolean
}

export interface ImportedInputs {
  readonly inputs: readonly ImportedInput[]
  readonly form: boolean
  /** What is left out, in words. */
  readonly notes: readonly string[]
}

interface Collected {
  readonly inputs: ImportedInput[]
  readonly notes: string[]
  form: boolean
}

/** What a caller gives: the parameters of the path and of the operation, then the body. */
export function importedInputsOf(description: Importing, dialect: ApiDialect, operation: ApiOperation): ImportedInputs {
  const collected: Collected = { inputs: [], notes: [], form: false }
  const parameters = parametersOf(description, operation)
  for (const parameter of parameters) addParameter(description, dialect, parameter, collected)
  const body = dialect === 'openapi' ? memberOf(description, operation.at, 'requestBody') : undefined
  if (body !== undefined) addBody(description, body, collected)
  for (const name of new Set(operation.path.match(/(?<=\{)[^{}]+(?=\})/gu)))
    if (!collected.inputs.some((input) => input.in === 'path' && input.wire === name))
      noteFault(description, operation.at, `The path ${operation.path} has {${name}}, and no parameter of that name.`)
  return collected
}

/** An operation's own parameter stands in for one of its path. */
function parametersOf(description: Description, { at, pathItem }: ApiOperation): readonly ApiPlace[] {
  const all = [pathItem, at].flatMap((place) => listItemsOf(description, memberOf(description, place, 'parameters')))
  return [...new Map(all.map((each) => [`${textAt(each.value, 'in')} ${textAt(each.value, 'name')}`, each])).values()]
}

function addParameter(description: Importing, dialect: ApiDialect, parameter: ApiPlace, collected: Collected): void {
  const { value } = parameter
  const name = textAt(value, 'name')
  const place = textAt(value, 'in')
  if (!isJsonObject(value) || name === undefined || place === undefined)
    return noteFault(description, parameter, 'A parameter needs `name` and `in`.')
  const required = value['required'] === true || place === 'path'
  if (place === 'body') return addSchema(description, memberOf(description, parameter, 'schema'), required, collected)
  if (place === 'formData') {
    if (isJsonObject(value) && value['type'] === 'file') return leaveOutFile(description, parameter, name, collected)
    collected.form = true
  }
  const to = place === 'formData' ? 'body' : place
  if (!isPlace(to)) return void collected.notes.push(`the ${place} parameter ${name}`)
  const schema = schemaOfParameter(description, dialect, parameter, value)
  const flat = withDescription(importedInputType(description, [schema], 'string'), textAt(value, 'description'))
  if (to === 'header' && (!MAY_BE_HEADER.test(name) || OWN_HEADER.test(name)))
    return required
      ? noteFault(description, parameter, `The header ${name} is not an input: this service sends its own.`)
      : void collected.notes.push(`the header ${name}`)
  if (to === 'query' && ['object', 'any'].includes(flat.type))
    collected.notes.push(`the style of the query parameter ${name}: it is sent as JSON`)
  const style = textAt(value, dialect === 'swagger' ? 'collectionFormat' : 'style')
  if (style !== undefined && UNSENT_STYLE.test(style))
    collected.notes.push(`the style ${style} of the ${place} parameter ${name}`)
  const joined = dialect === 'swagger' ? value['collectionFormat'] !== 'multi' : value['explode'] === false
  add(collected, { name, required, flat, in: to, wire: name, joined: joined && flat.type === 'array' })
}

/** How several values may be written that this service writes otherwise: with commas, or one by one. */
const UNSENT_STYLE = /^(?:matrix|label|deepObject|spaceDelimited|pipeDelimited|ssv|tsv|pipes)$/u

/** A file goes as multipart, which is not sent: as a field of a form it would be another value. */
const leaveOutFile = (description: Importing, parameter: ApiPlace, name: string, { notes }: Collected): void =>
  isJsonObject(parameter.value) && parameter.value['required'] === true
    ? noteFault(description, parameter, `The parameter ${name} is a file; JSON and forms can be sent.`)
    : void notes.push(`the file ${name}`)

/** In Swagger a parameter is its own schema; in OpenAPI it has one, or a body of a type that has one. */
function schemaOfParameter(
  description: Importing,
  dialect: ApiDialect,
  parameter: ApiPlace,
  value: JsonObject,
): ApiPlace {
  if (dialect === 'swagger') {
    const {
      name: _,
      in: _in,
      required: _required,
      collectionFormat: _format,
      allowEmptyValue: _empty,
      ...schema
    } = value
    return { ...parameter, value: schema }
  }
  const content = memberOf(description, parameter, 'content')
  const [type] = isJsonObject(content?.value) ? Object.keys(content.value) : []
  const media = content === undefined || type === undefined ? undefined : memberOf(description, content, type)
  return (
    rawMember(parameter, 'schema') ??
    (media === undefined ? undefined : rawMember(media, 'schema')) ?? { ...parameter, value: {} }
  )
}

const isPlace = (place: string): place is 'path' | 'query' | 'header' | 'body' =>
  ['path', 'query', 'header', 'body'].includes(place)

const MAY_BE_HEADER = /^[\w!#$%&'*+.^`|~-]{1,128}$/u
/** What the service says itself, of itself and of the message. */
const OWN_HEADER =
  /^(?:authorization|connection|content-length|content-type|cookie|expect|forwarded|host|idempotency-key|keep-alive|origin|proxy-.*|referer|te|trailer|transfer-encoding|upgrade|via|x-forwarded-.*|sec-.*|accept)$/iu

const withDescription = (flat: ImportedType, description: string | undefined): ImportedType =>
  description === undefined ? flat : { ...flat, description }

function addBody(description: Importing, body: ApiPlace, collected: Collected): void {
  const content = memberOf(description, body, 'content')
  const types = isJsonObject(content?.value) ? Object.keys(content.value) : []
  const json = types.find((type) => /^application\/(?:[\w.+-]+\+)?json\b/iu.test(type))
  const form = types.find((type) => /^application\/x-www-form-urlencoded\b/iu.test(type))
  const type = json ?? form
  const required = isJsonObject(body.value) && body.value['required'] === true
  if (content === undefined || type === undefined) {
    const what = types.join(', ') || 'of no type'
    return required
      ? noteFault(description, body, `The body is ${what}; JSON and forms can be sent.`)
      : void collected.notes.push(`a body that is ${what}`)
  }
  collected.form = json === undefined
  const media = memberOf(description, content, type)
  addSchema(description, media === undefined ? undefined : memberOf(description, media, 'schema'), required, collected)
}

/** The members of an object are inputs of their own; anything else is one input, `body`. */
function addSchema(
  description: Importing,
  schema: ApiPlace | undefined,
  required: boolean,
  collected: Collected,
): void {
  const at = schema === undefined ? undefined : resolved(description, schema)
  if (at === undefined) return
  const { properties, required: names, keywords, more, choices, lost } = flattened(description, [at])
  const isFlat = properties.size > 0 && properties.size <= MOST_INPUTS && choices.every(({ word }) => word !== 'oneOf')
  if (!isFlat) {
    const flat = importedInputType(description, [schema!])
    if (collected.form) return noteFault(description, at, 'A form without named fields cannot be sent.')
    return add(collected, { name: 'body', required, flat, in: 'whole-body', wire: 'body', joined: false })
  }
  if (choices.length > 0) collected.notes.push('`anyOf` of the body: which of its fields go together')
  if (more.length > 0) collected.notes.push('members of the body that have no name')
  const others = ['minProperties', 'maxProperties'].filter((name) => keywords[name] !== undefined)
  collected.notes.push(...[...others, ...lost].map((keyword) => `\`${keyword}\` of the body`))
  for (const [name, places] of properties) {
    const { keywords: own } = flattened(description, places)
    if (own['readOnly'] === true) continue
    const flat = importedInputType(description, places)
    add(collected, { name, required: required && names.has(name), flat, in: 'body', wire: name, joined: false })
  }
}

const MOST_INPUTS = 60

/** Names that surfaces use for themselves, or that no input may have. */
const TAKEN = new Set([
  'approval_grant', 'approval', 'task_id', 'client_reference_id', 'parent_invocation_id', 'upstream_service', 'idempotency_key', 'parameters', 'stream',
  'constructor', 'prototype', '__proto__',
]) // prettier-ignore

function add(collected: Collected, input: ImportedInput): void {
  const base = inputName(input.name)
  const taken = new Set(collected.inputs.map(({ name }) => name))
  const candidates = [
    base,
    `${input.in === 'whole-body' ? 'body' : input.in}_${base}`,
    ...[2, 3, 4, 5, 6, 7, 8, 9].map((n) => `${base}_${n}`),
  ]
  const name = candidates.find((each) => !taken.has(each) && !TAKEN.has(each))
  if (name === undefined) return void collected.notes.push(`${input.in} ${input.wire}, whose name is taken`)
  collected.inputs.push({ ...input, name })
}

/** `per-page` -> `per_page`; what is an identifier stays. */
export function inputName(wire: string): string {
  if (/^[a-z][a-zA-Z0-9_]{0,100}$/u.test(wire)) return wire
  const name = snakeCase(wire).slice(0, 100)
  return /^[a-z]/u.test(name) ? name : `field_${name || 'value'}`
}

/** Whether a JSON value can stand as a default in a manifest. */
export const isScalar = (value: Json | undefined): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
