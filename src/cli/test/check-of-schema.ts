import { fitsSchema, keywordsAgainst } from '../../compiler/rules/facts/schemas/fits-schema.js'
import type { Json } from '../../protocol/manifest.js'
import { referredName, type ValueSchema, type ValueSchemas } from '../../protocol/value-schema.js'
import type { CheckFault, ValueCheck } from '../../runtime/index.js'

/** A check that a build would make code of: the same verdict, and the same places and words. */
export function checkOfSchema(schema: ValueSchema, shared: ValueSchemas): ValueCheck {
  const check: ValueCheck = (value) => {
    const holds = fitsSchema(value as Json, schema, shared)
    check.errors = holds ? null : faultsIn(value as Json, schema, shared, '')
    return holds
  }
  return check
}

type Find = (value: Json, schema: ValueSchema, shared: ValueSchemas, path: string) => readonly CheckFault[]

const faultsIn: Find = (value, schema, shared, path) => {
  if (schema.$ref !== undefined) return faultsIn(value, shared[referredName(schema.$ref)]!, shared, path)
  return [...keywordsAgainst(value, schema, shared)].flatMap(
    (keyword) => INSIDE[keyword]?.(value, schema, shared, path) ?? [faultOf(keyword, value, schema, path)],
  )
}

const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')

const membersOf = (value: Json): readonly (readonly [name: string, member: Json])[] =>
  Object.entries(value as { readonly [name: string]: Json })

/** Keywords whose fault lies further in. */
const INSIDE: { readonly [keyword: string]: Find } = {
  properties: (value, { properties = {} }, shared, path) =>
    membersOf(value).flatMap(([name, member]) =>
      Object.hasOwn(properties, name) ? faultsIn(member, properties[name]!, shared, `${path}/${escaped(name)}`) : [],
    ),
  additionalProperties: (value, { properties = {}, additionalProperties: more }, shared, path) =>
    membersOf(value).flatMap(([name, member]) => {
      if (Object.hasOwn(properties, name)) return []
      if (typeof more === 'object') return faultsIn(member, more, shared, `${path}/${escaped(name)}`)
      return more === false
        ? [{ instancePath: path, keyword: 'additionalProperties', params: { additionalProperty: name } }]
        : []
    }),
  items: (value, { items }, shared, path) =>
    (value as readonly Json[]).flatMap((each, index) => faultsIn(each, items!, shared, `${path}/${index}`)),
  anyOf: (value, { anyOf = [] }, shared, path) => choiceFaults('anyOf', value, anyOf, shared, path),
  oneOf: (value, { oneOf = [] }, shared, path) => choiceFaults('oneOf', value, oneOf, shared, path),
  required: (value, { required = [] }, _, path) =>
    required
      .filter((name) => !Object.hasOwn(value as object, name))
      .map((name) => ({ instancePath: path, keyword: 'required', params: { missingProperty: name } })),
}

const choiceFaults = (
  keyword: string,
  value: Json,
  choices: readonly ValueSchema[],
  shared: ValueSchemas,
  path: string,
): readonly CheckFault[] => [
  ...choices.flatMap((each) => faultsIn(value, each, shared, path)),
  { instancePath: path, keyword, params: {} },
]

/** The parameters under which the words of the runtime find what is expected. */
function faultOf(keyword: string, value: Json, schema: ValueSchema, instancePath: string): CheckFault {
  const wanted = schema[keyword]
  const repeated = keyword === 'uniqueItems' ? repeatedIn(value as readonly Json[]) : {}
  const params = { [keyword]: wanted, limit: wanted, allowedValues: wanted, allowedValue: wanted, ...repeated }
  return { instancePath, keyword, params }
}

function repeatedIn(items: readonly Json[]): { readonly i: number; readonly j: number } {
  const j = items.findIndex((each, index) => items.indexOf(each) < index)
  return { i: items.indexOf(items[j]!), j }
}
