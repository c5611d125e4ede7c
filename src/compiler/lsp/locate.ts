import { valueAt, type MapNode, type ScalarNode, type YamlNode } from '../parse/tree.js'
import type { Span } from '../finding.js'
import type { Field, Shape } from '../shape/field.js'
import { FRAGMENT, MANIFEST } from '../shape/fields/manifest.js'

/** A token of a document, and what the table of fields says of its place. */
export interface LocatedToken {
  readonly node: ScalarNode
  readonly isKey: boolean
  /** Keys and indexes from the root. */
  readonly path: readonly string[]
  /** Field of the value, or of the key; undefined outside the table. */
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

/** Every token of a document in the order of the text; within a span, none of the collections that lie elsewhere. */
export function tokensOf(root: YamlNode, within?: Span): readonly LocatedToken[] {
  const found: LocatedToken[] = []
  collect(root, { path: [], field: rootField(root), map: undefined }, within, found)
  return found
}

function collect(node: YamlNode, { path, field: given, map }: Place, within: Span | undefined, found: LocatedToken[]) {
  if (within !== undefined && node.kind !== 'scalar' && (within.end < node.start || within.start > node.end)) return
  const field = optionFor(given, node)
  if (node.kind === 'scalar') found.push({ node, isKey: false, path, field, shape: undefined, map })
  else if (node.kind === 'list') {
    const items = field?.kind === 'list' ? field.items : undefined
    for (const [index, item] of node.items.entries())
      collect(item, { path: [...path, String(index)], field: items, map: undefined }, within, found)
  } else collectMembers(node, path, field, within, found)
}

function collectMembers(
  node: MapNode,
  above: readonly string[],
  field: Field | undefined,
  within: Span | undefined,
  found: LocatedToken[],
): void {
  const shape = field?.kind === 'object' ? field.shape : undefined
  for (const [index, key] of node.keys.entries()) {
    const name = String(key.value)
    const under = shape === undefined ? (field?.kind === 'map' ? field.values : undefined) : shape.fields[name]
    const path = [...above, name]
    found.push({ node: key, isKey: true, path, field: under, shape, map: node })
    const value = node.values[index]
    if (value !== undefined) collect(value, { path, field: under, map: node }, within, found)
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
  return tokensOf(root, { start: offset, end: offset }).find(
    ({ node }) => node.start <= offset && offset <= node.end && node.end > node.start,
  )
}
