import type { JsonObject } from '../../protocol/manifest.js'
import { headerKind, type ParameterPlace } from '../../protocol/upstream-requests.js'
import { FAULTS } from './faults.js'
import { NOTES } from './notes.js'
import { addRequestBody, addSwaggerBody } from './bodies.js'
import { addInput, leaveOut, withDescription, type Collected, type ImportedInputs } from './inputs.js'
import { pathSent, type ApiDialect, type ApiOperation } from './operations.js'
import {
  isJsonObject,
  listItemsOf,
  memberOf,
  noteFault,
  rawMember,
  textAt,
  type ApiPlace,
  type Description,
} from './references.js'
import { importedInputType } from './schemas.js'
import type { Importing } from './structures.js'
import { howWritten } from './styles.js'

/** Returns the inputs of an operation: the parameters of the path and of the operation, then the body. */
export function importedInputsOf(description: Importing, dialect: ApiDialect, operation: ApiOperation): ImportedInputs {
  const collected: Collected = { inputs: [], notes: [] }
  const parameters = parametersOf(description, operation)
  const consumes = consumedTypes(description, operation)
  const named = new Set(pathSent(operation).match(/(?<=\{)[^{}]+(?=\})/gu))
  for (const parameter of parameters) {
    const place = textAt(parameter.value, 'in')
    const name = textAt(parameter.value, 'name')
    if (place === 'body' || place === 'formData') continue
    if (place === 'path' && name !== undefined && !named.has(name)) collected.notes.push(NOTES.notInPath.says(name))
    else addParameter(description, dialect, parameter, collected)
  }
  if (dialect === 'swagger') addSwaggerBody(description, operation, parameters, consumes, collected)
  else addRequestBody(description, operation, collected)
  for (const name of named)
    if (!collected.inputs.some((input) => input.in === 'path' && input.wire === name)) addUndescribed(name, collected)
  return collected
}

/** A part of the path that no parameter describes is a text, as every part of a path is. */
function addUndescribed(wire: string, collected: Collected): void {
  const flat = { type: 'string', nullable: false, description: '', allowed: [], default: undefined, schema: undefined, notCarried: [] } // prettier-ignore
  collected.notes.push(NOTES.undescribed.says(wire))
  addInput(collected, { name: wire, required: true, flat, in: 'path', wire })
}

/** Of Swagger: what an operation, or else the document, says that it takes. */
const consumedTypes = (description: Description, { at }: ApiOperation): readonly string[] => {
  const root = description.root.value as JsonObject
  const types = isJsonObject(at.value) && Array.isArray(at.value['consumes']) ? at.value['consumes'] : root['consumes']
  return (Array.isArray(types) ? types : []).filter((type) => typeof type === 'string')
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
    return noteFault(description, parameter, FAULTS.nameless.says())
  const required = value['required'] === true || place === 'path'
  const to = Object.hasOwn(PLACES, place) ? PLACES[place] : undefined
  if (to === undefined) return leaveOut(description, parameter, required, `the ${place} parameter ${name}`, collected)
  if (to === 'header') {
    const kind = headerKind(name)
    if (kind === 'own') return
    if (kind === 'refused') return leaveOut(description, parameter, required, `the header ${name}`, collected)
  }
  const schema = schemaOfParameter(description, dialect, parameter, value)
  const flat = withDescription(importedInputType(description, [schema], 'string'), textAt(value, 'description'))
  const how = howWritten(dialect, to, value, flat.type)
  if (typeof how === 'string') return noteFault(description, parameter, FAULTS.unstyled.says(how))
  addInput(collected, { name, required, flat, in: to, wire: name, ...(how && { how }) })
}

const PLACES: { readonly [place: string]: ParameterPlace | 'query-string' } = {
  path: 'path', query: 'query', header: 'header', cookie: 'cookie', querystring: 'query-string',
} // prettier-ignore

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
