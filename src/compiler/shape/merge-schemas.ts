import type { Report } from '../finding.js'
import { indexOfKey, valueAt, type MapNode } from '../parse/tree.js'
import { NODE, type ManifestView } from './view.js'

const FIELD = 'x-schemas'

/**
 * The document of a manifest with the `x-schemas` of its fragments. A name declared twice is an error that shows both
 * places.
 */
export function mergeSchemas(
  root: ManifestView,
  fragments: readonly (ManifestView | undefined)[],
  report: Report,
): MapNode {
  const node = root[NODE]
  const given = fragments.flatMap((fragment) => (fragment === undefined ? [] : (withSchemas(fragment[NODE]) ?? [])))
  const own = valueAt(node, FIELD)
  if (given.length === 0 || (own !== undefined && own.kind !== 'map')) return node
  const first = given[0]!
  const merged: MapNode = { ...(own ?? first.map), keys: [...(own?.keys ?? [])], values: [...(own?.values ?? [])] }
  for (const { map } of given)
    for (const [index, key] of map.keys.entries()) {
      const there = merged.keys.find(({ value }) => value === key.value)
      if (there === undefined) {
        merged.keys.push(key)
        merged.values.push(map.values[index]!)
      } else
        report('SVC1005', key, `The schema \`${key.value}\` is declared twice; rename or remove one.`, {
          related: [{ span: there, message: 'It is declared here first.' }],
        })
    }
  const at = indexOfKey(node, FIELD)
  return at === -1
    ? { ...node, keys: [...node.keys, first.key], values: [...node.values, merged] }
    : { ...node, values: node.values.with(at, merged) }
}

function withSchemas(node: MapNode) {
  const index = indexOfKey(node, FIELD)
  const map = node.values[index]
  return map?.kind === 'map' ? { key: node.keys[index]!, map } : undefined
}
