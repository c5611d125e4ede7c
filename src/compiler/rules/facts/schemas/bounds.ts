import type { Scalar, SchemaType } from '../../../../protocol/value-schema.js'
import { indexOfKey, valueAt, type MapNode } from '../../../parse/tree.js'
import { alternativesOf, type Shared } from './alternatives.js'
import { typesAt } from './types-at.js'
import type { ReportTrouble } from './trouble.js'

const PAIRS = [
  ['minimum', 'maximum'],
  ['exclusiveMinimum', 'maximum'],
  ['minimum', 'exclusiveMaximum'],
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['minProperties', 'maxProperties'],
] as const

/** Reports what no value, or hardly the meant one, can satisfy. */
export function boundsTrouble(node: MapNode, report: ReportTrouble): void {
  for (const [least, most] of PAIRS) {
    const [from, to] = [numberAt(node, least), numberAt(node, most)]
    if (from !== undefined && to !== undefined && from > to)
      report('value', valueAt(node, most)!, `\`${most}\` ${to} is below \`${least}\` ${from}; no value fits.`)
  }
  requiredTrouble(node, report)
  literalTrouble(node, report)
}

const scalarAt = (node: MapNode, name: string): Scalar | undefined => {
  const value = valueAt(node, name)
  return value?.kind === 'scalar' ? value.value : undefined
}

function numberAt(node: MapNode, name: string): number | undefined {
  const value = scalarAt(node, name)
  return typeof value === 'number' ? value : undefined
}

/** A member that is required is described, so that a slip of the pen is found. */
function requiredTrouble(node: MapNode, report: ReportTrouble): void {
  const required = valueAt(node, 'required')
  const properties = valueAt(node, 'properties')
  if (required?.kind !== 'list' || (properties !== undefined && properties.kind !== 'map')) return
  for (const item of required.items)
    if (item.kind === 'scalar' && (properties === undefined || indexOfKey(properties, String(item.value)) === -1))
      report('value', item, `\`${item.value}\` is required, but not one of \`properties\`.`)
}

const TYPE_OF: { readonly [type in SchemaType]: (value: Scalar) => boolean } = {
  string: (value) => typeof value === 'string',
  integer: (value) => Number.isSafeInteger(value),
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  object: () => false,
  array: () => false,
}

function literalTrouble(node: MapNode, report: ReportTrouble): void {
  const types = typesAt(node)?.filter((type) => Object.hasOwn(TYPE_OF, type))
  if (types === undefined) return
  const list = valueAt(node, 'enum')
  const single = valueAt(node, 'const')
  for (const literal of [...(list?.kind === 'list' ? list.items : []), ...(single === undefined ? [] : [single])])
    if (literal.kind === 'scalar' && !types.some((type) => TYPE_OF[type](literal.value)))
      report('value', literal, `${JSON.stringify(literal.value)} is no ${types.join(' or ')}.`)
}

/**
 * Items that are objects would be compared each with each. Asked once references are known to lead somewhere: the type
 * of items may stand in the schema that they lead to.
 */
export function uniqueTrouble(node: MapNode, shared: Shared, report: ReportTrouble): void {
  if (scalarAt(node, 'uniqueItems') !== true) return
  const items = valueAt(node, 'items')
  const kinds = items === undefined ? [] : alternativesOf(items, shared)
  if (typeof kinds === 'string') return
  if (kinds.length > 0 && kinds.every(isPlain)) return
  const says =
    '`uniqueItems` goes with `items` whose `type` is string, number, integer, boolean or null, here or in the schema ' +
    'that `$ref` leads to.'
  report('value', valueAt(node, 'uniqueItems')!, says)
}

/** Checks whether values of a schema are never objects or lists. */
function isPlain(node: MapNode): boolean {
  const types = typesAt(node)
  return types !== undefined && !types.includes('object') && !types.includes('array')
}
