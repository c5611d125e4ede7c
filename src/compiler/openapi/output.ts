import { inputName } from './parameters.js'
import type { ApiOperation, ApiDialect } from './operations.js'
import { isJsonObject, memberOf, resolved, type Description, type ApiPlace } from './references.js'
import { flatTypeOf, merged, type FlatType } from './schemas.js'

export interface ImportedField {
  readonly name: string
  readonly wire: string
  /** `any` where the answer may lack it or hold null. */
  readonly type: string
  readonly flat: FlatType
}

export type ImportedOutput =
  | { readonly kind: 'members'; readonly fields: readonly ImportedField[] }
  | { readonly kind: 'items' | 'value' | 'status' }

const MOST_FIELDS = 100

/** What an operation answers when it succeeds: the first answer with JSON that is described. */
export function importedOutputOf(description: Description, dialect: ApiDialect, { at }: ApiOperation): ImportedOutput {
  const responses = memberOf(description, at, 'responses')
  const codes = isJsonObject(responses?.value) ? Object.keys(responses.value).filter((status) => /^(?:2\d\d|2XX|default)$/iu.test(status)) : []
  const schemas = codes.map((code) => schemaOf(description, dialect, memberOf(description, responses!, code)))
  const described = schemas.filter((schema) => schema !== undefined)
  if (described.length === 0) return { kind: 'status' }
  const always = described.length === codes.filter((code) => code !== 'default').length
  return shapeOf(description, described[0]!, always)
} // prettier-ignore

function schemaOf(description: Description, dialect: ApiDialect, response: ApiPlace | undefined): ApiPlace | undefined {
  if (response === undefined) return undefined
  if (dialect === 'swagger') return memberOf(description, response, 'schema')
  const content = memberOf(description, response, 'content')
  const type = isJsonObject(content?.value) ? Object.keys(content.value).find((each) => /[/+]json\b/iu.test(each)) : undefined
  const media = content === undefined || type === undefined ? undefined : memberOf(description, content, type)
  return media === undefined ? undefined : memberOf(description, media, 'schema')
} // prettier-ignore

function shapeOf(description: Description, schema: ApiPlace, always: boolean): ImportedOutput {
  const at = resolved(description, schema)
  if (at === undefined) return { kind: 'value' }
  const { properties, required } = merged(description, at)
  if (flatTypeOf(description, at).type === 'array') return { kind: 'items' }
  if (properties.size === 0) return { kind: 'value' }
  const fields = new Map<string, ImportedField>()
  for (const [wire, property] of properties) {
    const name = inputName(wire)
    if (fields.has(name) || fields.size === MOST_FIELDS || ['constructor', 'prototype'].includes(name)) continue
    const flat = flatTypeOf(description, property)
    const isSure = always && required.has(wire) && !flat.nullable && !flat.notCarried.some((each) => /union/u.test(each))
    fields.set(name, { name, wire, type: isSure ? flat.type : 'any', flat })
  }
  return { kind: 'members', fields: [...fields.values()] }
} // prettier-ignore
