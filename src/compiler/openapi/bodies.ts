import type { Json, JsonObject } from '../../protocol/manifest.js'
import { readAs, type BodyKind } from '../../protocol/upstream-requests.js'
import { FAULTS } from './faults.js'
import { NOTES } from './notes.js'
import { flattened } from './flatten.js'
import type { ApiOperation } from './operations.js'
import { addInput, leaveOut, withDescription, type Collected, type ImportedInput, type WrittenAs } from './inputs.js'
import {
  isJsonObject,
  memberOf,
  noteFault,
  rawMember,
  resolved,
  textAt,
  type ApiPlace,
  type Description,
} from './references.js'
import { importedBodyType, importedInputType, type ImportedType } from './schemas.js'
import type { Importing } from './structures.js'
import { encodedAs, howWritten } from './styles.js'

/** Methods that `fetch` sends without a body. */
const BODILESS: ReadonlySet<string> = new Set(['get', 'head'])

/** Kinds of bodies, the best first. */
const KINDS: readonly (readonly [BodyKind, RegExp])[] = [
  ['json', /^application\/json\b/iu],
  ['json', /[/+]json\b/iu],
  ['json', /^(?:application|\*)\/\*/iu],
  ['form', /^application\/x-www-form-urlencoded\b/iu],
  ['multipart', /^multipart\/form-data\b/iu],
]

/** The media type that is sent, of those that are declared, and how its body is written. */
export function sentType(all: readonly string[]): { readonly declared: string; readonly as: BodyKind } | undefined {
  const types = all.filter((type) => !/\*/u.test(type) || /^(?:application|text|\*)\/\*/iu.test(type))
  for (const [as, pattern] of KINDS) {
    const declared = types.find((type) => pattern.test(type))
    if (declared !== undefined) return { declared, as }
  }
  const declared = types.find((type) => readAs(type) === 'text') ?? types.find((type) => !/^multipart\//iu.test(type))
  return declared === undefined ? undefined : { declared, as: readAs(declared) === 'text' ? 'text' : 'bytes' }
}

const typeOf = (declared: string): string =>
  !/\*/u.test(declared) ? declared : declared.toLowerCase().startsWith('text/') ? 'text/plain' : 'application/json'

/** Bytes are no JSON where every type is taken. */
const BYTES = { declared: 'application/octet-stream', as: 'bytes' } as const

const isBytes = (description: Description, declared: string, schema: ApiPlace | undefined): boolean =>
  /\*/u.test(declared) &&
  schema !== undefined &&
  flattened({ ...description, findings: [] }, [schema]).keywords['format'] === 'binary'

/** The body of an operation of OpenAPI 3. */
export function addRequestBody(description: Importing, operation: ApiOperation, collected: Collected): void {
  const body = memberOf(description, operation.at, 'requestBody')
  if (body === undefined) return
  const required = isJsonObject(body.value) && body.value['required'] === true
  const content = memberOf(description, body, 'content')
  const types = isJsonObject(content?.value) ? Object.keys(content.value) : []
  const sent = sentType(types)
  if (content === undefined || sent === undefined)
    return leaveOut(description, body, required, `a body that is ${types.join(', ') || 'of no type'}`, collected)
  const media = memberOf(description, content, sent.declared)
  const schema = media === undefined ? undefined : rawMember(media, 'schema')
  if (BODILESS.has(operation.method)) return refuseBody(description, operation, body, schema)
  const encoding = media === undefined ? undefined : memberOf(description, media, 'encoding')
  const as = isBytes(description, sent.declared, schema) ? BYTES : sent
  addBody(description, { at: media ?? body, schema, required, sent: as, encoding }, collected)
}

/** A body of GET is a finding, required or not, unless it has nothing in it: some generators describe one everywhere. */
function refuseBody(
  description: Importing,
  { method }: ApiOperation,
  body: ApiPlace,
  schema: ApiPlace | undefined,
): undefined {
  const { keywords, properties, choices, more, items } = flattened(description, schema === undefined ? [] : [schema])
  const isObject = ((keywords['type'] ?? ['object']) as readonly Json[]).includes('object')
  const isEmpty = isObject && properties.size + choices.length + more.length + items.length === 0
  if (!isEmpty) noteFault(description, body, FAULTS.bodyOfGet.says(method.toUpperCase()))
}

interface Body {
  readonly at: ApiPlace
  readonly schema: ApiPlace | undefined
  readonly required: boolean
  readonly sent: { readonly declared: string; readonly as: BodyKind }
  readonly encoding?: ApiPlace | undefined
}

/** The body, or the form, of an operation of Swagger 2.0. */
export function addSwaggerBody(
  description: Importing,
  operation: ApiOperation,
  parameters: readonly ApiPlace[],
  consumes: readonly string[],
  collected: Collected,
): void {
  const body = parameters.find(({ value }) => textAt(value, 'in') === 'body')
  const fields = parameters.filter(({ value }) => textAt(value, 'in') === 'formData')
  if (body !== undefined) {
    const required = isJsonObject(body.value) && body.value['required'] === true
    const sent = sentType(consumes.length === 0 ? ['application/json'] : consumes)
    if (BODILESS.has(operation.method)) return refuseBody(description, operation, body, rawMember(body, 'schema'))
    if (sent === undefined)
      return leaveOut(description, body, required, `a body that is ${consumes.join(', ')}`, collected)
    return addBody(description, { at: body, schema: memberOf(description, body, 'schema'), required, sent }, collected)
  }
  if (fields.length > 0) addSwaggerForm(description, fields, consumes, collected)
}

function addSwaggerForm(
  description: Importing,
  fields: readonly ApiPlace[],
  consumes: readonly string[],
  collected: Collected,
): void {
  const hasFile = fields.some(({ value }) => textAt(value, 'type') === 'file')
  const isParts = hasFile || (consumes.length > 0 && sentType(consumes)?.as === 'multipart')
  const type = isParts ? 'multipart/form-data' : 'application/x-www-form-urlencoded'
  const isRequired = fields.some(({ value }) => isJsonObject(value) && value['required'] === true)
  collected.body = { type, as: isParts ? 'multipart' : 'form', ...(isRequired && { required: true as const }) }
  for (const field of fields) addFormField(description, field, collected)
}

function addFormField(description: Importing, field: ApiPlace, collected: Collected): void {
  const {
    name: wire,
    in: _,
    required,
    collectionFormat: _format,
    ...schema
  } = field.value as { readonly [name: string]: never }
  if (typeof wire !== 'string') return noteFault(description, field, FAULTS.nameless.says())
  const isFile = schema['type'] === 'file'
  const place = { ...field, value: isFile ? { type: 'string' } : schema }
  const flat = withDescription(importedInputType(description, [place], 'string'), textAt(field.value, 'description'))
  const how = isFile
    ? { file: 'application/octet-stream' }
    : howWritten('swagger', 'query', field.value as JsonObject, flat.type)
  const input = { name: wire, required: required === true, in: 'body', wire } as const
  if (typeof how === 'string') return noteFault(description, field, FAULTS.unstyled.says(how))
  addInput(collected, { ...input, flat: isFile ? inBase64(flat) : flat, ...(how && { how }) })
}

/** The members of an object are inputs of their own; anything else is one input, `body`. */
function addBody(description: Importing, body: Body, collected: Collected): void {
  const { schema, required, sent } = body
  collected.body = { type: typeOf(sent.declared), as: sent.as, ...(required && { required: true as const }) }
  const at = schema === undefined ? undefined : resolved(description, schema)
  if (schema !== undefined && at === undefined) return
  if (sent.as === 'text' || sent.as === 'bytes') return addUnstructured(description, body, collected)
  const whole = (flat: ImportedType): void =>
    addInput(collected, { name: 'body', required, flat, in: 'whole-body', wire: 'body' })
  if (at === undefined) return whole(importedInputType(description, [{ ...body.at, value: {} }]))
  const { properties, required: names, keywords, more, choices, lost, nullable } = flattened(description, [at])
  const isFlat = properties.size > 0 && properties.size <= MOST_INPUTS && choices.every(({ word }) => word !== 'oneOf')
  if (!isFlat) {
    const flat = typeFor(sent.as)(description, [schema!])
    if (sent.as !== 'json' && flat.type !== 'object') return noteFault(description, at, FAULTS.formWithoutFields.says())
    return whole(flat)
  }
  if (choices.length > 0) collected.notes.push(NOTES.together.says())
  if (more.length > 0) collected.notes.push(NOTES.unnamed.says())
  const others = ['minProperties', 'maxProperties'].filter((name) => keywords[name] !== undefined)
  const dropped = [...others, ...(nullable ? ['null'] : []), ...lost]
  collected.notes.push(...dropped.map((keyword) => NOTES.body.says(keyword)))
  for (const [name, places] of properties) addMember(description, body, name, places, names.has(name), collected)
  // A member that is required, and described nowhere, is any value.
  for (const name of names)
    if (!properties.has(name)) addMember(description, body, name, [{ ...at, value: {} }], true, collected)
}

/** Null is a value of JSON alone. */
const typeFor = (as: BodyKind) =>
  as === 'json'
    ? importedBodyType
    : (importing: Importing, places: readonly ApiPlace[]) => importedInputType(importing, places)

const MOST_INPUTS = 60

function addMember(
  description: Importing,
  { required, sent, encoding }: Body,
  name: string,
  places: readonly ApiPlace[],
  isNeeded: boolean,
  collected: Collected,
): void {
  const { keywords, items } = flattened(description, places)
  if (keywords['readOnly'] === true) return
  const own = encoding === undefined ? undefined : memberOf(description, encoding, name)
  const type = textAt(own?.value, 'contentType')?.split(',', 1)[0]
  const isFile =
    sent.as === 'multipart' && [keywords, ...items.map(({ value }) => value)].some((each) => isBinary(each, type))
  const how: WrittenAs | undefined = isFile
    ? { file: type ?? 'application/octet-stream' }
    : isJsonObject(own?.value) && sent.as !== 'json'
      ? encodedAs(own.value, sent.as === 'form')
      : undefined
  const flat = typeFor(sent.as)(description, places)
  const input: ImportedInput = {
    name,
    required: required && isNeeded,
    flat: isFile ? inBase64(flat) : flat,
    in: 'body',
    wire: name,
    ...(how && { how }),
  }
  addInput(collected, input)
}

/** A file: `binary`, a media type without `contentEncoding` (OpenAPI 3.1), or a part that is declared as one. */
const isBinary = (schema: Json, type: string | undefined): boolean =>
  isJsonObject(schema) &&
  (schema['format'] === 'binary' ||
    (type !== undefined && readAs(type) === 'bytes' && (schema['type'] ?? 'string') === 'string'))

/** A body that is no JSON and no form: a text as it is, bytes in base64. Of scalars a plain text is the value. */
function addUnstructured(description: Importing, { at, schema, required, sent }: Body, collected: Collected): void {
  const flat = importedInputType(description, [schema ?? { ...at, value: {} }], 'string')
  const isScalar = /^text\/plain\b/iu.test(sent.declared) && !['object', 'array', 'any'].includes(flat.type)
  const isText = isScalar || (['string', 'any'].includes(flat.type) && flat.schema?.['anyOf'] === undefined)
  if (sent.as === 'text' && !isText)
    return leaveOut(description, at, required, `a body that is ${sent.declared}, of ${flat.type} values`, collected)
  const whole = isScalar ? flat : { ...flat, type: 'string', schema: undefined, allowed: [] }
  addInput(collected, {
    name: 'body',
    required,
    flat: sent.as === 'text' ? whole : inBase64(whole),
    in: 'whole-body',
    wire: 'body',
  })
}

const inBase64 = (flat: ImportedType): ImportedType => ({
  ...flat,
  description: `${flat.description.replace(/[^.]$/u, '$&.')} Bytes in base64.`.trim(),
})
