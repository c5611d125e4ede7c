import { indexOfKey, type Span, type YamlNode } from '../parse/tree.js'

/** A place of a document. */
export interface PointedPlace {
  readonly node: YamlNode
  /** The key of the value, or the first token of an item. */
  readonly key: Span
  /** Beginnings of findings about the place and its surroundings. */
  readonly spans: readonly Span[]
  /** A finding covers the value, or a field of it, from elsewhere. */
  readonly isCovered: boolean
}

/** The place that a JSON pointer names, as far as the document goes. */
export function placeAt(root: YamlNode, pointer: string): PointedPlace {
  let [node, key] = [root, firstToken(root)]
  const spans: Span[] = [key]
  let isCovered = false
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
    const step = intoPart(node, name)
    if (step === undefined) break
    isCovered ||= node.kind === 'map' && node.faults?.has(name) === true
    spans.push({ start: node.start, end: node.start }, step.key)
    node = step.node
    key = step.key
  }
  return { node, key, spans: [...spans, node], isCovered: isCovered || hasFaults(node) }
}

function intoPart(node: YamlNode, part: string): { readonly key: Span; readonly node: YamlNode } | undefined {
  if (node.kind === 'scalar') return undefined
  const index = node.kind === 'list' ? Number(part) : indexOfKey(node, part)
  const value = node.kind === 'list' ? node.items[index] : node.values[index]
  if (value === undefined) return undefined
  return { node: value, key: node.kind === 'list' ? firstToken(value) : node.keys[index]! }
}

const hasFaults = (node: YamlNode): boolean => node.kind === 'map' && node.faults !== undefined && node.faults.size > 0

/** Returns the token that findings about an object point at. */
const firstToken = (node: YamlNode): Span => (node.kind === 'map' ? (node.keys[0] ?? node) : node)
