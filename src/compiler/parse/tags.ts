import type { YamlNode } from './tree.js'

/** The tags that say what YAML would see anyway. */
const PLAIN_TAGS: ReadonlyMap<string, YamlNode['kind']> = new Map([
  ['!', 'scalar'],
  ['!!str', 'scalar'],
  ['!!map', 'map'],
  ['!!seq', 'list'],
])

/** Returns why a tag is not allowed on a node; tags never create objects. */
export function tagTrouble(tag: string, node: YamlNode): string | undefined {
  const kind = PLAIN_TAGS.get(tag)
  if (kind === undefined) return `The tag \`${tag.slice(0, 80)}\` is not allowed; write the value plainly.`
  if (kind !== node.kind && tag !== '!') return `The tag \`${tag}\` does not fit its value; remove it.`
  return undefined
}
