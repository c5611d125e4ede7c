import { indexOfKey, type Span, type YamlNode } from '../parse/tree.js'

/** A place of a document: the value, and the keys that lead to it, from the root. */
export interface PointedPlace {
  readonly node: YamlNode
  /** The key of the value, or the first token of an item; the last one is that of the value itself. */
  readonly keys: readonly Span[]
}

/** The place that a JSON pointer names, as far as the document goes. */
export function placeAt(root: YamlNode, pointer: string): PointedPlace {
  const keys: Span[] = [firstToken(root)]
  let node = root
  for (const part of pointer.split('/').slice(1)) {
    const step = intoPart(node, part.replaceAll('~1', '/').replaceAll('~0', '~'))
    if (step === undefined) break
    keys.push(step.key)
    node = step.node
  }
  return { node, keys }
}

function intoPart(node: YamlNode, part: string): { readonly key: Span; readonly node: YamlNode } | undefined {
  if (node.kind === 'scalar') return undefined
  const index = node.kind === 'list' ? Number(part) : indexOfKey(node, part)
  const value = node.kind === 'list' ? node.items[index] : node.values[index]
  if (value === undefined) return undefined
  return { node: value, key: node.kind === 'list' ? firstToken(value) : node.keys[index]! }
}

/** What findings about an object name. */
const firstToken = (node: YamlNode): Span => (node.kind === 'map' ? (node.keys[0] ?? node) : node)
