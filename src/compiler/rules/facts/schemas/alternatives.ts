import { referredName } from '../../../../protocol/value-schema.js'
import { valueAt, type MapNode, type YamlNode } from '../../../parse/tree.js'

export type Shared = ReadonlyMap<string, YamlNode>

/** Plain schemas that one schema may turn out to be; beyond, it is too large to be judged. */
const MOST = 256

/**
 * What a schema leads to without a step into the value: through references and choices. Undefined where it leads back,
 * or too far.
 */
export function alternativesOf(node: YamlNode, shared: Shared): readonly MapNode[] | 'loop' | 'many' {
  const found: MapNode[] = []
  const walk = (part: YamlNode, path: ReadonlySet<YamlNode>): 'loop' | 'many' | undefined => {
    if (path.has(part)) return 'loop'
    const next = leadsOf(part, shared)
    if (next === undefined) {
      if (part.kind === 'map') found.push(part)
      return found.length > MOST ? 'many' : undefined
    }
    const further = new Set([...path, part])
    for (const each of next) {
      const trouble = walk(each, further)
      if (trouble !== undefined) return trouble
    }
    return undefined
  }
  return walk(node, new Set()) ?? found
}

/** The schemas that a reference or choices lead to; undefined for a plain schema. */
function leadsOf(node: YamlNode, shared: Shared): readonly YamlNode[] | undefined {
  if (node.kind !== 'map') return undefined
  const reference = valueAt(node, '$ref')
  if (reference?.kind === 'scalar') {
    const target = shared.get(referredName(String(reference.value)))
    return target === undefined ? [] : [target]
  }
  const choices = ['anyOf', 'oneOf'].map((keyword) => valueAt(node, keyword)).find((list) => list?.kind === 'list')
  return choices?.kind === 'list' ? choices.items : undefined
}
