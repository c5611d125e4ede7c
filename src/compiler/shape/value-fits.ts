import type { ScalarNode, YamlNode } from '../parse/tree.js'
import type { Field } from './field.js'
import { fits, formatOf } from './formats.js'

/** Checks whether a scalar fits the field without any finding. */
export function scalarFits(field: Field, node: Pick<ScalarNode, 'value'>): boolean {
  const { value } = node
  switch (field.kind) {
    case 'text':
      return (
        typeof value === 'string' &&
        value.trim() !== '' &&
        (field.format === undefined || fits(formatOf(field.format), value))
      )
    case 'word':
      return typeof value === 'string' && field.words.includes(value)
    case 'flag':
      return typeof value === 'boolean'
    case 'number':
      return typeof value === 'number'
    case 'any':
      return true
    case 'oneOf':
      return field.scalar !== undefined && scalarFits(field.scalar, node)
    default:
      return false
  }
}

/** Checks whether a value is of the field's kind: for example no text in place of a list. */
export function kindFits(field: Field, node: YamlNode): boolean {
  if (field.kind === 'any' || (node.kind === 'scalar' && node.value === null)) return true
  if (field.kind === 'oneOf') return field[node.kind] !== undefined
  if (field.kind === 'list') return node.kind === 'list'
  if (field.kind === 'object' || field.kind === 'map') return node.kind === 'map'
  return node.kind === 'scalar'
}
