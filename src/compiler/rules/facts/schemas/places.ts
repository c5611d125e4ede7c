import { typesOfWord, type SchemaType, type ValueSchema, type ValueSchemas } from '../../../../protocol/value-schema.js'
import { valueAt, type MapNode, type ScalarNode, type YamlNode } from '../../../parse/tree.js'
import { jsonOf } from '../../../shape/normalise.js'
import { ITEMS, NODE, type CapabilityView, type ManifestView, type ViewObject } from '../../../shape/view.js'
import type { RuleContext } from '../../rule.js'

/** A schema, and the type word of the field that it narrows. */
export interface SchemaPlace {
  readonly node: YamlNode
  readonly word?: string
  readonly types?: readonly SchemaType[]
}

/** Returns the value of `x-schemas`, or of a misspelling of it. */
export const sharedNode = (manifest: ManifestView): YamlNode | undefined =>
  valueAt(manifest[NODE], 'x-schemas') ?? (manifest as { readonly 'x-schemas'?: ViewObject<object> })['x-schemas']?.[NODE]

/** The shared schemas of a manifest: name -> schema. */
export function sharedSchemas({ manifest }: RuleContext): ReadonlyMap<string, YamlNode> {
  const shared = sharedNode(manifest)
  if (shared?.kind !== 'map') return new Map()
  return new Map(shared.keys.map((key, index) => [key.value as string, shared.values[index]!]))
}

/** The shared schemas as values, once they were judged. */
export const sharedValues = (context: RuleContext): ValueSchemas =>
  Object.fromEntries([...sharedSchemas(context)].map(([name, node]) => [name, jsonOf(node) as unknown as ValueSchema]))

/** The schemas of inputs and output fields. */
export const fieldSchemas = ({ capabilities }: RuleContext): readonly SchemaPlace[] =>
  [...capabilities.values()].flatMap((capability) => [...inputSchemas(capability), ...outputSchemas(capability)])

const inputSchemas = ({ inputs = [] as never }: CapabilityView): readonly SchemaPlace[] =>
  inputs.flatMap((input) => placeIn(input[NODE], input.type))

function outputSchemas({ output }: CapabilityView): readonly SchemaPlace[] {
  const fields = output?.fields
  if (fields === undefined) return []
  return fields[ITEMS].flatMap((item, index) => {
    const { type = 'any' } = fields[index] as { readonly type?: string | readonly string[] }
    return item.kind === 'map' ? placeIn(item, type) : []
  })
}

export interface TypeWord {
  readonly word: string
  readonly node: ScalarNode
  /** The input, or the output field. */
  readonly field: MapNode
}

/** Each type that an input or an output field names, where it is written. */
export const typeWords = ({ capabilities }: RuleContext): readonly TypeWord[] =>
  [...capabilities.values()].flatMap(({ inputs = [] as never, output }) =>
    [...inputs.map((input) => input[NODE]), ...(output?.fields?.[ITEMS] ?? [])].flatMap((field) => {
      const node = field.kind === 'map' ? valueAt(field, 'type') : undefined
      return field.kind === 'map' && node?.kind === 'scalar' && typeof node.value === 'string'
        ? [{ word: node.value, node, field }]
        : []
    }),
  )

function placeIn(field: MapNode, type: string | readonly string[] | undefined): readonly SchemaPlace[] {
  const node = valueAt(field, 'x-schema')
  if (node === undefined) return []
  if (type === undefined) return [{ node }]
  const words = typeof type === 'string' ? [type] : type
  const types = words.flatMap((word) => (word === 'null' ? (['null'] as const) : typesOfWord(word)))
  return [{ node, word: words.join(' or '), types }]
}
