import type { Capability, Json } from '../../../protocol/manifest.js'
import {
  referredName,
  schemaOf,
  typesNamed,
  type ValueSchema,
  type ValueSchemas,
} from '../../../protocol/value-schema.js'
import { code, inline, inlineValue } from '../../print/markdown.js'

type Row = readonly [path: string, type: string, required: string, meaning: string]

/** A row for each member inside the structured inputs and output fields of a capability (decisions, section 12). */
export function structuredMembers({ inputs, output }: Capability, shared: ValueSchemas): readonly Row[] {
  return [...inputs, ...output.fields].flatMap((field) => {
    const schema = schemaOf(field)
    return schema === undefined ? [] : insideOf({ path: field.name, schema, shared, followed: [] })
  })
}

interface Place {
  readonly path: string
  readonly schema: ValueSchema
  readonly shared: ValueSchemas
  /** The shared schemas on the way here: one that contains itself is followed once. */
  readonly followed: readonly string[]
}

/** The rows of what a schema contains; its own row is its owner's. */
function insideOf(place: Place): readonly Row[] {
  const { path, shared, followed } = place
  const name = nameIn(place.schema)
  if (name !== undefined && followed.includes(name)) return []
  const schema = resolved(place.schema, shared)
  const below = { shared, followed: name === undefined ? followed : [...followed, name] }
  const { properties, required = [], items, additionalProperties, anyOf = [], oneOf = [] } = schema
  const member = (at: string, of: ValueSchema, need: string): readonly Row[] => [
    [code(at), typeOf(of, shared), need, meaningOf(of, shared)],
    ...insideOf({ ...below, path: at, schema: of }),
  ]
  return [
    ...Object.entries(properties ?? {}).flatMap(([key, of]) =>
      member(`${path}.${key}`, of, required.includes(key) ? 'yes' : 'no'),
    ),
    ...(typeof additionalProperties === 'object' ? member(`${path}.*`, additionalProperties, 'no') : []),
    ...(items === undefined ? [] : member(`${path}[]`, items, '')),
    ...[...anyOf, ...oneOf].flatMap((of) => insideOf({ ...below, path, schema: of })),
  ]
}

const nameIn = ({ $ref }: ValueSchema): string | undefined => ($ref === undefined ? undefined : referredName($ref))

/** What a reference leads to, with what stands beside it. */
function resolved(schema: ValueSchema, shared: ValueSchemas): ValueSchema {
  const name = nameIn(schema)
  return name === undefined ? schema : { ...shared[name], ...schema }
}

function typeOf(schema: ValueSchema, shared: ValueSchemas): string {
  const { anyOf = [], oneOf = [], ...whole } = resolved(schema, shared)
  const types = typesNamed(whole)
  if (types !== undefined) return types.map(code).join(' or ')
  return [...new Set([...anyOf, ...oneOf].map((each) => typeOf(each, shared)))].join(' or ')
}

const BOUNDS = [
  'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minLength', 'maxLength', 'pattern', 'format',
  'minItems', 'maxItems', 'uniqueItems', 'minProperties', 'maxProperties',
] // prettier-ignore

function meaningOf(schema: ValueSchema, shared: ValueSchemas): string {
  const whole = resolved(schema, shared)
  const values = whole.const === undefined ? whole.enum : [whole.const]
  const bounds = BOUNDS.filter((bound) => whole[bound] !== undefined)
  return [
    ...(whole.description === undefined ? [] : [inline(whole.description)]),
    ...(values === undefined ? [] : [`One of ${values.map(inlineValue).join(', ')}.`]),
    ...(bounds.length === 0
      ? []
      : [`${bounds.map((each) => `${each} ${inlineValue(whole[each] as Json)}`).join(', ')}.`]),
  ].join(' ')
}
