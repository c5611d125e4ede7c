import type { Place, Source } from '../diagnostics.js'
import { itemName } from '../parse/path-to.js'
import { placeSources } from '../parse/sources.js'
import { indexOfKey, type Span, type YamlNode } from '../parse/tree.js'

/** Location of something, or of its nearest surrounding that exists. */
export interface Located {
  readonly place: Place
  readonly isThere: boolean
}

/** Finds places by names in the files of a manifest: the manifest first, then its fragments. */
export function locator(
  sources: readonly Source[],
  roots: readonly (YamlNode | undefined)[],
): (at: readonly string[]) => Located {
  const placed = placeSources(sources)
  return (at) => {
    const found = roots.map((root) => (root === undefined ? NOWHERE : walk(root, at)))
    const best = found.reduce((one, other) => (other.depth > one.depth ? other : one), found[0] ?? NOWHERE)
    return { place: placed.place(best.span), isThere: best.depth === at.length }
  }
}

interface Found {
  readonly span: Span
  readonly depth: number
}

const NOWHERE: Found = { span: { start: 0, end: 0 }, depth: -1 }

/** Goes as deep as the names lead. */
function walk(root: YamlNode, at: readonly string[]): Found {
  let node: YamlNode | undefined = root
  let span: Span = root.kind === 'map' ? (root.keys[0] ?? root) : root
  for (const [depth, name] of at.entries()) {
    const step: Step | undefined = node === undefined ? undefined : stepInto(node, name)
    if (step === undefined) return { span, depth }
    ;({ node, span } = step)
  }
  return { span, depth: at.length }
}

interface Step {
  readonly node: YamlNode | undefined
  readonly span: Span
}

function stepInto(node: YamlNode, name: string): Step | undefined {
  if (node.kind === 'map') {
    const index = indexOfKey(node, name)
    return index === -1 ? undefined : { node: node.values[index], span: node.keys[index]! }
  }
  if (node.kind === 'scalar') return undefined
  const item = node.items.find((each) => knownAs(each, name))
  if (item === undefined) return undefined
  return { node: item, span: item.kind === 'map' ? (item.keys[0] ?? item) : item }
}

/** By the usual name of an item, or by any of its members: a binding is known by its field, a control by its type. */
const knownAs = (item: YamlNode, name: string): boolean =>
  itemName(item) === name ||
  (item.kind === 'map' && item.values.some((value) => value.kind === 'scalar' && String(value.value) === name))
