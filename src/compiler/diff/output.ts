import type { JsonObject } from '../../protocol/manifest.js'
import { memberChange, namedItems, same, within, type Comparison } from './difference.js'
import { renamed } from './renames.js'
import { takesAll } from './value-schemas.js'

const nameOf = (field: JsonObject): string => String(field['name'])
const FIELDS = ['fields']

/** Fields of the output, by name (section 2.4). */
export const outputFieldChanges =
  (_: string, inside: Comparison): Comparison =>
  (before, after) => {
    const [was, is] = [namedItems(before['fields'], nameOf), namedItems(after['fields'], nameOf)]
    const gone = new Map([...was].filter(([name]) => !is.has(name)))
    const come = new Map([...is].filter(([name]) => !was.has(name)))
    const names = gone.size === 1 && come.size === 1 ? renamed(gone, come, isSameField) : new Map<string, string>()
    const arrived = new Set(names.values())
    const at = (name: string) => [...FIELDS, name]
    const found = [
      ...[...names].map(([old, name]) => ({ code: 'SVC9053', at: at(name), says: `was called ${old}` })),
      ...[...gone.keys()]
        .filter((name) => !names.has(name))
        .map((name) => ({ code: 'SVC9051', at: at(name), says: 'is gone' })),
      ...[...come.keys()]
        .filter((name) => !arrived.has(name))
        .map((name) => ({ code: 'SVC9052', at: at(name), says: 'is new' })),
      ...[...is].flatMap(([name, field]) => within(at(name), inside(was.get(name) ?? field, field))),
    ]
    const isMoved = found.length === 0 && !same([...was.keys()], [...is.keys()])
    return isMoved ? [{ code: 'SVC9055', at: FIELDS, says: `now come as ${[...is.keys()].join(', ')}` }] : found
  }

/** Of one type, or one description: a served manifest tells neither, and then only the place speaks. */
const isSameField = (before: JsonObject, after: JsonObject): boolean => {
  const [was, is] = [String(before['name']), String(after['name'])]
  return same(before['type'], after['type']) && (was.includes(is) || is.includes(was) || shared(was, is) >= NEAR)
}

const NEAR = 0.6

/** Returns the share of the longer name that the other contains, from the left and from the right. */
function shared(one: string, other: string): number {
  const longest = Math.max(one.length, other.length)
  let left = 0
  while (left < Math.min(one.length, other.length) && one[left] === other[left]) left++
  let right = 0
  while (right < Math.min(one.length, other.length) - left && one.at(-1 - right) === other.at(-1 - right)) right++
  return (left + right) / longest
}

export const outputType: Comparison = memberChange('type', (before, after) =>
  before === undefined || after === undefined ? undefined : 'SVC9202',
)

export const outputSchemaChange: Comparison = memberChange('x-schema', (was, is) =>
  takesAll(is, was) ? 'SVC9254' : 'SVC9255',
)
