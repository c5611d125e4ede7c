import { referredName } from '../../../../protocol/value-schema.js'
import { valueAt, type MapNode, type YamlNode } from '../../../parse/tree.js'

export type Shared = ReadonlyMap<string, YamlNode>

/** Plain schemas that one schema may turn out to be; beyond, it is too large to be judged. */
const MOST = 256

/** References and choices one after another, without a step into the value. */
export const FURTHEST = 64

/** Reason why alternatives cannot be listed: they loop, are too many, or too deep. */
export type Endless = 'loop' | 'many' | 'far'

/** Returns the schemas that apply to the same value: through references and choices. */
export function alternativesOf(node: YamlNode, shared: Shared): readonly MapNode[] | Endless {
  const found: MapNode[] = []
  const path = new Set<YamlNode>()
  const walk = (part: YamlNode): Endless | undefined => {
    if (path.has(part)) return 'loop'
    if (path.size > FURTHEST) return 'far'
    const next = leadsOf(part, shared)
    if (next === undefined) {
      if (part.kind === 'map') found.push(part)
      return found.length > MOST ? 'many' : undefined
    }
    path.add(part)
    for (const each of next) {
      const trouble = walk(each)
      if (trouble !== undefined) return trouble
    }
    path.delete(part)
    return undefined
  }
  return walk(node) ?? found
}

/** The schema that a reference leads to, through others; the node itself where they lead back or too far. */
export function referredSchema(node: YamlNode, shared: Shared): YamlNode {
  let schema = node
  for (let steps = 0; steps < FURTHEST; steps++) {
    const target = targetOf(schema, shared)
    if (target === undefined) return schema
    schema = target
  }
  return node
}

function targetOf(node: YamlNode, shared: Shared): YamlNode | undefined {
  const reference = node.kind === 'map' ? valueAt(node, '$ref') : undefined
  return reference?.kind === 'scalar' ? shared.get(referredName(String(reference.value))) : undefined
}

/** The schemas that a reference or choices lead to; undefined for a plain schema. */
function leadsOf(node: YamlNode, shared: Shared): readonly YamlNode[] | undefined {
  if (node.kind !== 'map') return undefined
  if (valueAt(node, '$ref')?.kind === 'scalar') {
    const target = targetOf(node, shared)
    return target === undefined ? [] : [target]
  }
  const choices = ['anyOf', 'oneOf'].map((keyword) => valueAt(node, keyword)).find((list) => list?.kind === 'list')
  return choices?.kind === 'list' ? choices.items : undefined
}
