import type { SchemaType } from '../../../../protocol/value-schema.js'
import { valueAt, type MapNode } from '../../../parse/tree.js'

/** The types that a schema names, as far as they can be read; undefined where it names none. */
export function typesAt(node: MapNode): readonly SchemaType[] | undefined {
  const type = valueAt(node, 'type')
  if (type === undefined || type.kind === 'map') return undefined
  const words = type.kind === 'list' ? type.items : [type]
  return words.flatMap((word) => (word.kind === 'scalar' ? [word.value as SchemaType] : []))
}
