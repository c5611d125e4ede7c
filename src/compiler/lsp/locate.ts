import { valueAt, type MapNode, type ScalarNode, type YamlNode } from '../parse/tree.js'
import type { Field, Shape } from '../shape/field.js'
import { FRAGMENT, MANIFEST } from '../shape/fields/manifest.js'

/** A token of a document, and what the table of fields says of its place. */
export interface LocatedToken {
  readonly node: ScalarNode
  readonly isKey: boolean
  /** Keys and indexes from the root. */
  readonly path: readonly string[]
  /** What stands here, or under the key; undefined outside the table. */
  readonly field: Field | undefined
  /** The object that the key belongs to. */
  readonly shape: Shape | undefined
  readonly map: MapNode | undefined
}

interface Place {
  readonly path: readonly string[]
  readonly field: Field | undefined
  readonly map: MapNode | undefined
}

/**
 * A whole document as a field of its own. One that says nothing but capabilities is a fragment; any other may become a
 * manifest.
 */
export const rootField = (root: YamlNode): Field => ({
  kind: 'object',
  shape: root.kind === 'map' && valueAt(root, 'capabilities') !== undefined && !isManifest(root) ? FRAGMENT : MANIFEST,
})

const isManifest = ({ keys }: MapNode): boolean =>
  keys.some(({ value }) => value === 'service_identity' || value === 'manifest_metadata' || value === 'trust')

/** Every token of a document in the order of the text; with an offset, none of the collections that lie elsewhere. */
export function* tokensOf(
  node: YamlNode,
  place: Place = { path: [], field: rootField(node), map: undefined },
  offset?: number,
): Generator<LocatedToken> {
  if (offset !== undefined && node.kind !== 'scalar' && (offset < node.start || offset > node.end)) return
  const field = optionFor(place.field, node)
  if (node.kind === 'scalar') yield { node, isKey: false, path: place.path, field, shape: undefined, map: place.map }
  if (node.kind === 'list')
    for (const [index, item] of node.items.entries())
      yield* tokensOf(
        item,
        {
          path: [...place.path, String(index)],
          field: field?.kind === 'list' ? field.items : undefined,
          map: undefined,
        },
        offset,
      )
  if (node.kind !== 'map') return
  const shape = field?.kind === 'object' ? field.shape : undefined
  for (const [index, key] of node.keys.entries()) {
    const name = String(key.value)
    const under = shape === undefined ? (field?.kind === 'map' ? field.values : undefined) : shape.fields[name]
    const path = [...place.path, name]
    yield { node: key, isKey: true, path, field: under, shape, map: node }
    const value = node.values[index]
    if (value !== undefined) yield* tokensOf(value, { path, field: under, map: node }, offset)
  }
}

/** The kind of a place that takes several. */
function optionFor(field: Field | undefined, node: YamlNode): Field | undefined {
  if (field?.kind !== 'oneOf') return field
  return field[node.kind] ?? field
}

/** The token at an offset, in whichever file it stands. */
export function tokenAt(roots: readonly YamlNode[], offset: number): LocatedToken | undefined {
  const root = roots.find((each) => each.start <= offset && offset <= each.end)
  if (root === undefined) return undefined
  for (const token of tokensOf(root, undefined, offset))
    if (token.node.start <= offset && offset <= token.node.end && token.node.end > token.node.start) return token
  return undefined
}
