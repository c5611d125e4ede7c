import { valueAt, type MapNode, type ScalarNode, type YamlNode } from '../parse/tree.js'
import { tokensOf } from './locate.js'

/** The keys under which capabilities are declared, in all files of the manifest. */
export const declarationsOf = (roots: readonly YamlNode[]): readonly ScalarNode[] =>
  roots.flatMap((root) => mapAt(root, 'capabilities')?.keys ?? [])

/** A capability, in whichever file it stands. */
export const capabilityNamed = (roots: readonly YamlNode[], name: string): MapNode | undefined =>
  roots.map((root) => mapAt(root, 'capabilities', name)).find((found) => found !== undefined)

export function mapAt(node: YamlNode | undefined, ...path: readonly string[]): MapNode | undefined {
  const found = path.reduce<YamlNode | undefined>(
    (inner, key) => (inner?.kind === 'map' ? valueAt(inner, key) : undefined),
    node,
  )
  return found?.kind === 'map' ? found : undefined
}

/** The places of a member's text in each item of a list: `name` of inputs, `id` of steps. */
export function memberTexts(
  capability: MapNode | undefined,
  path: readonly string[],
  member: string,
): readonly ScalarNode[] {
  const list = path.reduce<YamlNode | undefined>(
    (node, key) => (node?.kind === 'map' ? valueAt(node, key) : undefined),
    capability,
  )
  if (list?.kind !== 'list') return []
  return list.items.flatMap((item) => {
    const found = item.kind === 'map' ? valueAt(item, member) : item
    return found?.kind === 'scalar' && typeof found.value === 'string' ? [found] : []
  })
}

/** Every scope that the manifest asks for. */
export function scopeNames(roots: readonly YamlNode[]): readonly string[] {
  const found = new Set<string>()
  for (const root of roots)
    for (const { path, node, isKey } of tokensOf(root))
      if (!isKey && path.at(-2) === 'minimum_scope') found.add(String(node.value))
  return [...found]
}
