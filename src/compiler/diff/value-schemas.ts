import { newInliner } from '../../protocol/inlined-schema.js'
import type { Capability, Json, JsonObject, Manifest } from '../../protocol/manifest.js'
import { schemaOf, schemasOf, typesNamed, type ValueSchema, type ValueSchemas } from '../../protocol/value-schema.js'
import { same } from './difference.js'

/** A capability whose schemas stand alone, so that a change of what they share is a change of each. */
export function withOwnSchemas(capability: Capability, manifest: Manifest): Capability {
  const shared = schemasOf(manifest)
  const { inputs, output } = capability
  return {
    ...capability,
    inputs: inputs.map((input) => standing(input, shared)),
    output: { ...output, fields: output.fields.map((field) => standing(field, shared)) },
  }
}

function standing<Field extends { readonly 'x-schema'?: JsonObject }>(field: Field, shared: ValueSchemas): Field {
  const schema = schemaOf(field)
  if (schema === undefined) return field
  const inliner = newInliner(shared)
  const alone = inliner.inlined(schema)
  return { ...field, 'x-schema': { ...alone, $defs: inliner.definitions() } }
}

/** Checks whether a schema accepts every value of another; false if uncertain. Undefined accepts anything. */
export function takesAll(before: Json | undefined, after: Json | undefined): boolean {
  const [was, is] = [told(before), told(after)]
  if (sameSchema(was, is) || Object.keys(is).every((keyword) => keyword === '$defs')) return true
  if (was.$ref !== undefined || is.$ref !== undefined || !sameSchema(was['$defs'], is['$defs'])) return false
  if (is.oneOf !== undefined) return false
  if (was.anyOf !== undefined || was.oneOf !== undefined || is.anyOf !== undefined)
    return takesAll(beside(was), beside(is)) && takesChoices(was, is)
  return takesLiterals(was, is) ?? (takesTypes(was, is) && takesBounds(was, is) && takesMembers(was, is))
}

/** Keywords beside the choices of a schema, which hold for each of them. */
const beside = ({ anyOf: _, oneOf: __, ...rest }: ValueSchema): JsonObject => rest as JsonObject

const takesChoices = (was: ValueSchema, is: ValueSchema): boolean =>
  is.anyOf === undefined ||
  (was.anyOf ?? was.oneOf ?? [was]).every((choice) =>
    is.anyOf!.some((other) => takesAll(choice as Json, other as Json)),
  )

const sameSchema = (one: unknown = {}, other: unknown = {}): boolean => same(one as Json, other as Json)

const ANNOTATIONS: ReadonlySet<string> = new Set(['title', 'description', '$comment', 'examples', 'deprecated'])

const told = (schema: Json | undefined): ValueSchema =>
  Object.fromEntries(Object.entries((schema ?? {}) as JsonObject).filter(([keyword]) => !ANNOTATIONS.has(keyword)))

/** The values that a schema lists; undefined where it lists none. */
function literalsOf({ enum: listed, const: only }: ValueSchema): readonly unknown[] | undefined {
  if (only === undefined) return listed
  return listed === undefined || listed.includes(only) ? [only] : []
}

/** Undefined where neither schema lists its values. What else stands beside them holds, too. */
function takesLiterals(was: ValueSchema, is: ValueSchema): boolean | undefined {
  const [listed, wider] = [literalsOf(was), literalsOf(is)]
  if (listed === undefined) return wider === undefined ? undefined : false
  const types = typesNamed(is)
  return (
    (wider === undefined || listed.every((literal) => wider.includes(literal))) &&
    (types === undefined || listed.every((literal) => types.some((type) => isOfType(literal, type)))) &&
    takesBounds(was, is) &&
    takesMembers(was, is)
  )
}

const isOfType = (literal: unknown, type: string): boolean =>
  type === 'null' ? literal === null : type === 'integer' ? Number.isSafeInteger(literal) : typeof literal === type

function takesTypes(was: ValueSchema, is: ValueSchema): boolean {
  const wider = typesNamed(is)
  if (wider === undefined) return true
  return (
    typesNamed(was)?.every((type) => wider.includes(type) || (type === 'integer' && wider.includes('number'))) ?? false
  )
}

const LEAST = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'] as const
const MOST = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'] as const
const EXACT = ['pattern', 'format', 'multipleOf', 'uniqueItems'] as const

function takesBounds(was: ValueSchema, is: ValueSchema): boolean {
  const holds = (keyword: string, compare: (one: number, other: number) => boolean): boolean =>
    is[keyword] === undefined || (was[keyword] !== undefined && compare(was[keyword] as number, is[keyword] as number))
  return (
    LEAST.every((keyword) => holds(keyword, (one, other) => one >= other)) &&
    MOST.every((keyword) => holds(keyword, (one, other) => one <= other)) &&
    EXACT.every((keyword) => is[keyword] === undefined || is[keyword] === was[keyword])
  )
}

function takesMembers(was: ValueSchema, is: ValueSchema): boolean {
  const { required = [] } = is
  if (!required.every((name) => was.required?.includes(name))) return false
  const names = new Set([...Object.keys(was.properties ?? {}), ...Object.keys(is.properties ?? {})])
  return (
    takesAll(was.items as Json, is.items as Json) &&
    takesMember(was.additionalProperties, is.additionalProperties) &&
    [...names].every((name) => takesMember(memberOf(was, name), memberOf(is, name)))
  )
}

const memberOf = ({ properties, additionalProperties }: ValueSchema, name: string): ValueSchema | boolean | undefined =>
  properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : additionalProperties

/** `false` is a member that may not be there. */
function takesMember(was: ValueSchema | boolean = true, is: ValueSchema | boolean = true): boolean {
  if (was === false || is === true) return true
  if (is === false) return false
  return takesAll((was === true ? {} : was) as Json, is as Json)
}
