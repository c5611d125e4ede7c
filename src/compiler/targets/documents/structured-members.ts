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

/** Members that a page shows of a capability; schemas that lead to each other have more than anybody reads. */
const MOST_ROWS = 100

/** A row for each member inside the structured inputs and output fields of a capability (decisions, section 12). */
export function structuredMembers({ inputs, output }: Capability, shared: ValueSchemas): readonly Row[] {
  const rows: Row[] = []
  for (const field of [...inputs, ...output.fields]) {
    const schema = schemaOf(field)
    if (schema === undefined) continue
    for (const row of insideOf({ path: field.name, schema, shared, followed: new Set() })) {
      if (rows.length === MOST_ROWS) return [...rows, [code(`${field.name} …`), '', '', 'More: see the JSON Schema.']]
      rows.push(row)
    }
  }
  return rows
}

interface Place {
  readonly path: string
  readonly schema: ValueSchema
  readonly shared: ValueSchemas
  /** The shared schemas on the way here: one that contains itself is followed once. */
  readonly followed: ReadonlySet<string>
}

/** The rows of what a schema contains, as far as somebody reads them; its own row is its owner's. */
function* insideOf(place: Place): Generator<Row> {
  const { path, shared, followed } = place
  const name = nameIn(place.schema)
  if (name !== undefined && followed.has(name)) return
  const schema = resolved(place.schema, shared)
  const below = { shared, followed: name === undefined ? followed : new Set([...followed, name]) }
  const { properties = {}, required = [], items, additionalProperties, anyOf = [], oneOf = [] } = schema
  function* member(at: string, of: ValueSchema, need: string): Generator<Row> {
    yield [code(at), typeOf(of, shared), need, meaningOf(of, shared)]
    yield* insideOf({ ...below, path: at, schema: of })
  }
  for (const [key, of] of Object.entries(properties))
    yield* member(`${path}.${key}`, of, required.includes(key) ? 'yes' : 'no')
  if (typeof additionalProperties === 'object') yield* member(`${path}.*`, additionalProperties, 'no')
  if (items !== undefined) yield* member(`${path}[]`, items, '')
  for (const of of [...anyOf, ...oneOf]) yield* insideOf({ ...below, path, schema: of })
}

const nameIn = ({ $ref }: ValueSchema): string | undefined => ($ref === undefined ? undefined : referredName($ref))

/** Returns the target of a reference, combined with the keywords beside it. */
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
