import { inputName } from './inputs.js'
import type { ApiOperation, ApiDialect } from './operations.js'
import { isJsonObject, memberOf, rawMember, type Description, type ApiPlace } from './references.js'
import { flattened } from './flatten.js'
import { importedAnswerType, type ImportedType } from './schemas.js'
import type { Importing } from './structures.js'

export interface ImportedField {
  readonly name: string
  readonly wire: string
  /** Whether the answer may lack it, or hold null. */
  readonly mayBeNull: boolean
  readonly flat: ImportedType
}

export type ImportedOutput =
  | { readonly kind: 'members'; readonly fields: readonly ImportedField[]; readonly notes: readonly string[] }
  | { readonly kind: 'items' | 'value'; readonly flat: ImportedType }
  | { readonly kind: 'status' }

const MOST_FIELDS = 200

/** What an operation answers when it succeeds: the first answer with JSON that is described. */
export function importedOutputOf(description: Importing, dialect: ApiDialect, { at }: ApiOperation): ImportedOutput {
  const responses = memberOf(description, at, 'responses')
  const codes = isJsonObject(responses?.value)
    ? Object.keys(responses.value).filter((status) => /^(?:2\d\d|2XX|default)$/iu.test(status))
    : []
  const schemas = codes.map((code) => schemaOf(description, dialect, memberOf(description, responses!, code)))
  const described = schemas.filter((schema) => schema !== undefined)
  if (described.length === 0) return { kind: 'status' }
  const always = described.length === codes.filter((code) => code !== 'default').length
  return shapeOf(description, described[0]!, always)
}

function schemaOf(description: Description, dialect: ApiDialect, response: ApiPlace | undefined): ApiPlace | undefined {
  if (response === undefined) return undefined
  if (dialect === 'swagger') return rawMember(response, 'schema')
  const content = memberOf(description, response, 'content')
  const type = isJsonObject(content?.value)
    ? Object.keys(content.value).find((each) => /[/+]json\b/iu.test(each))
    : undefined
  const media = content === undefined || type === undefined ? undefined : memberOf(description, content, type)
  return media === undefined ? undefined : rawMember(media, 'schema')
}

function shapeOf(description: Importing, schema: ApiPlace, always: boolean): ImportedOutput {
  const { properties, required, choices } = flattened(description, [schema])
  const flat = importedAnswerType(description, [schema])
  if (flat.type === 'array' && !flat.nullable) return { kind: 'items', flat }
  if (properties.size === 0 || choices.length > 0) return { kind: 'value', flat }
  const fields = new Map<string, ImportedField>()
  const notes: string[] = []
  for (const [wire, places] of properties) {
    const name = inputName(wire)
    if (fields.has(name) || ['constructor', 'prototype'].includes(name)) notes.push(`output.${wire}: its name is taken`)
    else if (fields.size === MOST_FIELDS) notes.push(`output.${wire}: there are more than ${MOST_FIELDS} fields`)
    else {
      const own = importedAnswerType(description, places)
      fields.set(name, { name, wire, mayBeNull: !always || !required.has(wire) || own.nullable, flat: own })
    }
  }
  if (fields.size === 0) return { kind: 'value', flat }
  return { kind: 'members', fields: [...fields.values()], notes }
}
