import { indexOfKey, markFault, type MapNode, type ScalarNode } from '../parse/tree.js'
import type { Field, Fields, Shape } from './field.js'
import type { ReadContext } from './reading.js'

/**
 * A field of an item, beside the list that the item belongs in: `above` beside `when`. True if it is one. What stands
 * together is reported once, by the first.
 */
export function fieldOfItem(shape: Shape, map: MapNode, key: ScalarNode, name: string, reading: ReadContext): boolean {
  const [home, ...others] = Object.keys(shape.fields)
  const fields = home === undefined ? {} : fieldsOfItem(shape.fields[home]!)
  if (home === undefined || others.length > 0 || !holds(fields, name) || indexOfKey(map, home) !== -1) return false
  if (map.faults?.has(home)) return true
  markFault(map, home)
  const wanted = `${home}: [${itemOf(map, fields, reading)}]`
  reading.report('SVC0210', key, `\`${name}\` belongs into an item of \`${home}\`: \`${wanted}\`.`, {
    suggestion: wanted,
  })
  return true
}

const fieldsOfItem = (field: Field): Fields =>
  field.kind === 'list' && field.items.kind === 'object' ? field.items.shape.fields : {}

const holds = (fields: Fields, name: string): boolean =>
  Object.hasOwn(fields, name) || partWith(fields, [name]) !== undefined

/** The part of an item that has all these fields: `cost` for `above`. */
const partWith = (fields: Fields, names: readonly string[]): string | undefined =>
  Object.keys(fields).find((part) => {
    const field = fields[part]!
    return field.kind === 'object' && names.every((name) => Object.hasOwn(field.shape.fields, name))
  })

/** The item as it is to be written: in its part, where all that is written belongs there. */
function itemOf(map: MapNode, fields: Fields, { text }: ReadContext): string {
  const names = map.keys.map(({ value }) => String(value))
  const written = names.map((name, index) => {
    const value = map.values[index]
    const says = value === undefined ? '' : text(value)
    return `${name}: ${says === '' || says.includes('\n') ? '…' : says}`
  })
  const item = `{ ${written.join(', ')} }`
  const part = partWith(fields, names)
  return part === undefined ? item : `{ ${part}: ${item} }`
}
