import { valueAt, type MapNode, type YamlNode } from './tree.js'

/** The members by which an item of a list is known. */
const NAMING = ['name', 'id', 'field', 'capability', 'type', 'input', 'value']

/** The place of an offset by names, from the root; empty outside all collections. */
export function pathTo(root: YamlNode | undefined, offset: number): string {
  const parts: string[] = []
  for (let node = root; node !== undefined;) {
    const step =
      node.kind === 'map' ? intoMap(node, offset) : node.kind === 'list' ? intoList(node.items, offset) : undefined
    if (step === undefined) break
    parts.push(step.name)
    node = step.node
  }
  return parts.join('/')
}

interface Step {
  readonly name: string
  readonly node: YamlNode | undefined
}

/** Entries stand in the order of the text, save those that an alias brought from elsewhere. */
function intoMap(map: MapNode, offset: number): Step | undefined {
  let low = 0
  let high = map.keys.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (map.keys[middle]!.start <= offset) low = middle
    else high = middle - 1
  }
  const key = map.keys[low]
  if (key === undefined || offset < key.start) return undefined
  const value = map.values[low]
  const isInside = value !== undefined && offset >= value.start && offset < Math.max(value.end, value.start + 1)
  return { name: String(key.value), node: isInside && value.kind !== 'scalar' ? value : undefined }
}

function intoList(items: readonly YamlNode[], offset: number): Step | undefined {
  const index = items.findIndex((item) => offset >= item.start && offset <= item.end)
  const item = items[index]
  if (item === undefined) return undefined
  return { name: itemName(item) ?? String(index), node: item.kind === 'scalar' ? undefined : item }
}

/** The name of an item of a list: a member that names it, or its own value. */
export function itemName(item: YamlNode): string | undefined {
  if (item.kind === 'scalar') return String(item.value)
  if (item.kind === 'list') return undefined
  for (const member of NAMING) {
    const value = valueAt(item, member)
    if (value?.kind === 'scalar') return String(value.value)
  }
  return undefined
}
