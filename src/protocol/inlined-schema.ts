/** Schemas that stand alone: what they refer to is written into them, or beside them (decisions, section 12). */
import type { JsonObject } from './manifest.js'
import { schemaOrder } from './schema-order.js'
import {
  mapSchema,
  publishedSchema,
  referredName,
  SCHEMA_REFERENCE,
  type ValueSchema,
  type ValueSchemas,
} from './value-schema.js'

/** Keywords and members that are written into a place that refers to them; more stands once, beside. */
const MOST_INLINED = 200

export interface Inliner {
  /** The schema with what it refers to; what leads back to itself, or is large, stays a reference into `$defs`. */
  readonly inlined: (schema: ValueSchema) => JsonObject
  /**
   * `$defs` for what was inlined so far; empty where nothing refers to it. Of what is beyond so many characters of JSON
   * only the types stand there.
   */
  readonly definitions: (most?: number) => JsonObject
}

/** Schemas of one document that a reader takes as it is. */
export function newInliner(shared: ValueSchemas): Inliner {
  const sizeOf = knownSizes(shared)
  const referred = new Set<string>()
  const inlined = (schema: ValueSchema): ValueSchema =>
    mapSchema(schema, (each) => {
      if (each.$ref === undefined || !each.$ref.startsWith(SCHEMA_REFERENCE)) return each
      const name = referredName(each.$ref)
      const { $ref: _, ...annotations } = each
      if (sizeOf(name) <= MOST_INLINED) return { ...inlined(shared[name]!), ...annotations }
      referred.add(name)
      return { ...annotations, $ref: `#/$defs/${name}` }
    })
  const published = (schema: ValueSchema): JsonObject =>
    publishedSchema(inlined(schema), asItIs) as unknown as JsonObject
  return {
    inlined: published,
    definitions: (most = Infinity) => {
      const made: { [name: string]: JsonObject } = {}
      let length = 0
      // Each may refer to more.
      for (const name of referred) {
        made[name] = length > most ? onlyTypes(shared[name]!) : published(shared[name]!)
        if (most < Infinity) length += JSON.stringify(made[name]).length
      }
      return made
    },
  }
}

const onlyTypes = ({ type }: ValueSchema): JsonObject =>
  type === undefined ? {} : { type: type as NonNullable<JsonObject[string]> }

const asItIs = (name: string): string => `#/$defs/${name}`

type Sizes = (name: string) => number

/** Sizes by the schemas of a manifest, which every tool of it asks for. */
const known = new WeakMap<ValueSchemas, Sizes>()

function knownSizes(shared: ValueSchemas): Sizes {
  const sizes = known.get(shared) ?? sizesOf(shared)
  known.set(shared, sizes)
  return sizes
}

/** Returns the size of shared schemas with everything they refer to inlined; infinite for a recursive one. */
function sizesOf(shared: ValueSchemas): Sizes {
  const sizes = new Map<string, number>()
  const all = Object.keys(shared).map((name) => ({ $ref: `${SCHEMA_REFERENCE}${name}` }))
  for (const name of schemaOrder(all, shared)) {
    let made = 0
    mapSchema(shared[name]!, (each) => {
      made += Object.keys(each).length
      if (each.$ref !== undefined) made += sizes.get(referredName(each.$ref)) ?? Infinity
      return each
    })
    sizes.set(name, made)
  }
  return (name) => sizes.get(name) ?? Infinity
}
