import { valueAt, type MapNode, type ScalarNode, type YamlNode } from '../parse/tree.js'
import { tokensOf, type LocatedToken } from './locate.js'

/** The fields whose text is the name of a capability of the same manifest. */
const NAMING = new Set(['capability', 'source_capability', 'compensation', 'determined_by'])
const NAMING_LISTS = new Set(['refresh_via', 'verify_via'])

/** Whether a token names a capability of this manifest: its declaration, or a reference to it. */
export function namesCapability({ path, isKey }: LocatedToken): boolean {
  if (isKey) return path.length === 2 && path[0] === 'capabilities'
  if (path[0] !== 'capabilities' || path.includes('cross_service')) return false
  return NAMING.has(path.at(-1) ?? '') || NAMING_LISTS.has(path.at(-2) ?? '')
}

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

/** The key under which a capability is declared. */
export const declarationOf = (roots: readonly YamlNode[], name: string): ScalarNode | undefined =>
  declarationsOf(roots).find(({ value }) => value === name)

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
